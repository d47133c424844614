func listModels(_ o: ModelOptions) throws {}
func getModel(_ o: ModelOptions) async throws {}
func removeModel(_ o: ModelOptions) throws {}
