import Backplane
import BackplaneTesting
import Testing

@testable import Club

@Test func `a picked meeting opens its page, and a wanted seat opens the page of the seat`() {
    let test = TestMotherboard()
    test.motherboard.install(ClubFlows())
    let list = test.stub(MeetingList.id)
    let meeting = test.stub(MeetingPage.id)
    test.stub(SeatPage.id)

    test.motherboard.activate(MeetingList.id)
    list.send("1")
    meeting.send("1")

    test.expect(
        .activated(MeetingList.id),
        .output(MeetingList.id, "1"),
        .activated(MeetingPage.id, with: "1"),
        .output(MeetingPage.id, "1"),
        .activated(SeatPage.id, with: "1")
    )
}

@Test func `a meeting is marked in the list when a seat is taken`() {
    let test = TestMotherboard(exhaustive: false)
    test.motherboard.install(ClubFlows())
    let list = test.stub(MeetingList.id)
    let seat = test.stub(SeatPage.id)

    test.motherboard.activate(MeetingList.id)
    test.motherboard.activate(SeatPage.id, with: "2")
    seat.send("2")

    #expect(list.commands == [.mark("2")])
}
