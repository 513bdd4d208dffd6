import BackplaneNetworking
import CampusCommands

// Campus for a first look: `URLSession` comes with the system, so this builds in half the time.
await runCampus { URLSessionTransport() }
