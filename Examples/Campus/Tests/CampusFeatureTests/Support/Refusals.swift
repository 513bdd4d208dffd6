import BackplaneNetworking
import BackplaneRemote
import HTTPTypes

/// Returns the error of a request that the server refuses, with a text for the user.
func refusal(_ message: String) -> ExplainedError { refusal(message, status: .conflict) }

/// Returns the error of a request for a value that does not exist, with a text for the user.
func missing(_ message: String) -> ExplainedError { refusal(message, status: .notFound) }

/// Returns whether the server has refused a request, and has not carried it out.
func isRefusal(_ error: any Error) -> Bool { (error as? ExplainedError)?.cause.isRefusal ?? false }

private func refusal(_ message: String, status: HTTPResponse.Status) -> ExplainedError {
    ExplainedError(message, cause: NetworkError(.rejected, message: "A test refuses the request.", status: status))
}
