import Backplane
import BackplaneNavigation
import BackplaneSwiftUI
import SwiftUI

struct ClubView: View {
    let window: ClubWindow

    var body: some View {
        NavigatorView(window.navigator) { screen in
            switch screen {
            case .meeting(let model): MeetingView(model: model)
            case .meetings(let model): MeetingListView(model: model)
            case .signIn(let model): SignInView(model: model)
            case .seat(let model): SeatView(model: model)
            }
        }
        .onLinks(window.links) { url in
            guard window.motherboard.canOpen(url), window.navigator.uncover() else { return }
            window.motherboard.open(url)
        }
    }
}

struct MeetingView: View {
    let model: MeetingModel

    var body: some View {
        LoadView(model.state, retry: model.retry) { meeting in
            VStack {
                Text(meeting.book).font(.title)
                Text(meeting.day)
                Button("Take a seat") { model.takeSeat() }
            }
        }
    }
}

struct MeetingListView: View {
    let model: MeetingListModel

    var body: some View {
        LoadView(model.state, retry: model.retry) { meetings in
            List(meetings) { meeting in
                Button(meeting.book + (model.marked.contains(meeting.id) ? " *" : "")) { model.pick(meeting.id) }
            }
        }
        .navigationTitle("The reading club")
    }
}

struct SignInView: View {
    @Bindable var model: SignInModel

    var body: some View {
        VStack {
            TextField("Name", text: $model.name)
            SecureField("Password", text: $model.password)
            Button("Sign in", action: model.signIn).disabled(model.isBusy)
            if let problem = model.problem { Text(problem) }
        }
    }
}

struct SeatView: View {
    let model: SeatModel

    var body: some View {
        LoadView(model.state, retry: model.retry) { seat in
            VStack {
                Text(seat.text)
                if model.isPending { Text("The club has not confirmed it yet.") }
                if let refusal = model.refusal { Text(refusal) }
                ForEach(0..<4, id: \.self) { guests in
                    Button("Bring \(guests) guests") { model.take(guests: guests) }
                }
                Button("Sign out") { model.signOut() }
            }
        }
    }
}
