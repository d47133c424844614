extension MessageKey {
    /// What a person is told, in English: one or two short sentences, without a name of anything.
    public var sentence: String {
        switch self {
        case .runsByRule: "Answered on this device, without a model."
        case .runsHere: "Runs on this device."
        case .runsInPrivateCloud: "Runs in the private cloud of this device's maker."
        case .runsOnServer: "Runs on a server."
        case .waitsForPreparation: "Preparing on this device."
        case .waitsForTurn: "Waiting for its turn on this device."
        case .asksConsent: "This needs your permission, because it would leave this device."

        case .localReady: "The model on this device is ready."
        case .localTooOld: "The model on this device needs a newer version of the system."
        case .localIneligible: "This device cannot run a model."
        case .localDisabled: "The model on this device is switched off in the system's settings."
        case .localNotBuiltIn: "This version of the app has no model for this device."
        case .localNotDownloaded: "The model for this device has not been downloaded."
        case .localPreparing: "The model on this device is still being prepared."
        case .localBusy: "The model on this device is busy."
        case .localUnknown: "The model on this device does not say whether it can run."

        case .cloudReady: "The server is ready."
        case .cloudOffline: "This device has no network."
        case .cloudSignedOut: "You are not signed in to the server."
        case .cloudRateLimited: "The server asks you to wait a little before the next request."
        case .cloudQuotaReached: "Your share of the server is used up for now."
        case .cloudDisabled: "The server has this switched off."
        case .cloudUnknown: "The server does not say whether it can run this."

        case .privateCloudIneligible: "This device may not use the private cloud."
        case .privateCloudNotReady: "The system is not ready to use the private cloud."
        case .privateCloudOffline: "The private cloud cannot be reached without a network."
        case .privateCloudNotBuiltIn: "This version of the app does not use the private cloud."
        case .privateCloudUnknown: "The private cloud does not say whether it can run this."
        case .privateCloudQuota: "Your share of the private cloud is used up for now."

        case .missingText: "The model does not work with text."
        case .missingStructure: "The model cannot keep to a form, which this needs."
        case .missingTools: "The model cannot use the app's functions, which this needs."
        case .missingVision: "The model cannot see pictures."
        case .missingLookup: "The model cannot look things up, which this needs."
        case .missingLongContext: "The model cannot read texts as long as this."
        case .missingOther: "The model lacks something that this needs."
        case .languageUnsupported: "The model does not know the language of this text."
        case .contextTooSmall: "This is too long for the model."

        case .modeForbids: "It would leave this device, and you have chosen that nothing does."
        case .consentMissing: "It would leave this device, and you have not permitted that."
        case .consentUnreadable: "It cannot be read what you have permitted, so nothing is sent."
        case .notEntitled: "Your plan does not include this."
        case .planUnknown: "It cannot be checked whether your plan includes this."
        case .switchedOff: "The makers of the app have switched this off for now."
        case .switchUnknown: "It cannot be checked whether this is switched off."
        case .policyForbids: "The app does not run this here."
        case .notConfigured: "The app has no other place to run this."
        case .noRule: "No rule of the app answers this."
        case .failedBefore: "It was tried, and failed."
        case .notPermitted: "It was not meant to run there."
        case .notEvaluated: "It was not needed."
        }
    }
}

extension NextAction {
    /// What stands on the button, in English.
    public var title: String {
        switch self {
        case .run: "Run"
        case .updateSystem: "Update the system"
        case .useServer: "Allow a server for this"
        case .turnOnModel: "Open the settings"
        case .updateApp: "Look for an update of the app"
        case .downloadModel: "Download the model"
        case .waitForPreparation: "Wait until it is ready"
        case .waitForTurn: "Wait for its turn"
        case .checkAgain: "Look again"
        case .goOnline: "Connect to a network"
        case .signIn: "Sign in"
        case .waitForLimit: "Try again later"
        case .waitForQuota: "Wait for the new share"
        case .useDevice: "Use this device"
        case .changeMode: "Change what may leave this device"
        case .giveConsent: "Read and decide"
        case .seePlans: "See the plans"
        case .shorten: "Shorten it"
        case .repairPermissions: "Check your permissions"
        }
    }
}

extension DataBoundary {
    /// Who is behind the boundary, in English, in the middle of a sentence.
    public var words: String {
        switch self {
        case .device: "this device"
        case .platformPrivateCloud: "the private cloud of this device's maker"
        case .firstParty(let name): name
        case .thirdParty(let name): name + ", which does not belong to this app"
        }
    }
}
