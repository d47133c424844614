extension Command where Action == RejoinAction {
    /// Who may answer a conversation.
    static var answering: [Option] {
        [
            Option(
                "mode", "MODE",
                "Who may answer. cloud: the server, or a model of this device while it is away; automatic: this device "
                    + "whatever it can; on-device: this device alone, and nothing is ever sent. cloud if not given, unless "
                    + "\"rejoin consent mode on-device\" was said here.",
                value: .oneOf(["automatic", "on-device", "cloud"])),
            Option(
                "device-model", "MODEL",
                "The model of this device, by its file or by a name of \"rejoin model list\"; the best one that is here if not "
                    + "given.", value: .file),
        ]
    }
}
