extension OperationProfile {
    /// The profile for one input: as much context as its longest task needs, and no less than was declared.
    ///
    /// Three bytes are counted as a token, a little more than vocabularies of today need for any language.
    func fitted(to tasks: some Sequence<ModelTask>) -> OperationProfile {
        var profile = self
        for task in tasks {
            let bytes = task.instructions.utf8.count + task.prompt.utf8.count
            profile.budget.input = max(profile.budget.input, bytes / 3 + 16)
            profile.budget.output = max(profile.budget.output, task.maximumTokens)
        }
        return profile
    }
}
