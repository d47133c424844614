import CommandLineTable
import RejoinServer

/// `rejoin man`: the table, and the variables that configuration reads.
func printManual() {
    let talking = [
        ("REJOIN_SERVER", "The server's address for ask and chat where --server names none."),
        ("REJOIN_TOKEN", "The token for ask and chat where no file is named."),
        ("REJOIN_TOKEN_FILE", "The file that holds the token for ask and chat where --token-file names none."),
    ]
    let environment = ManualPage.Section("ENVIRONMENT", entries: talking + ConfigurationReference.variables)
    print(ManualPage(Command.rejoin, version: Version.current, sections: [environment]), terminator: "")
}
