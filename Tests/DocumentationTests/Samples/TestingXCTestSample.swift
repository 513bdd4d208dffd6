// The XCTest sample of Sources/BackplaneTesting/BackplaneTesting.docc/TestingBoards.md.

import Backplane
import BackplaneTesting
import XCTest

@MainActor final class WeatherTests: XCTestCase {
    func testTheForecastIsThatOfTheCityPicked() async {
        let test = TestMotherboard(exhaustive: false)
        test.motherboard.install(WeatherModule { _ in 0 })
        let picker = test.stub(CityPicker.id)

        test.motherboard.activate(CityPicker.id)
        picker.send("Hanoi")
        test.expect(.activated(Forecast.id, with: "Hanoi"))
    }
}
