print("rejoin")
