import BackplaneAsyncHTTPClient
import CampusCommands

await runCampus { AsyncHTTPClientTransport() }
