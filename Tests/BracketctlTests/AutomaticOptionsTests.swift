import ArgumentParser
import Exposure
import Interface
import Testing

@testable import bracketctl

/// The options of a bracket that finds its own range.
struct AutomaticOptionsTests {
    private func options(_ arguments: String...) throws -> PlanOptions { try PlanOptions.parse(arguments) }

    /// The sentence about wrong options.
    private func refusal(_ arguments: String...) throws -> String? {
        let options = try PlanOptions.parse(arguments)
        do throws(Failure) {
            _ = try options.input()
            return nil
        } catch {
            return error.sentence
        }
    }

    @Test func `auto without numbers leaves every default to the daemon`() throws {
        let input = try options("--auto").input()
        #expect(input.goal != nil)
        #expect(input.goal?.framesMax == nil && input.goal?.clipPercent == nil && input.goal?.floorCode == nil)
        #expect(input.highlight == nil && input.shadow == nil && input.spacing == nil)
        #expect(try options("--auto").request().goal == .usual)
    }

    @Test func `the numbers of the goal are passed on`() throws {
        let arguments = try options(
            "--auto",
            "--spacing",
            "2",
            "--max-frames",
            "7",
            "--clip",
            "0.25",
            "--floor",
            "40",
            "--check-light"
        )
        let goal = try #require(try arguments.input().goal)
        #expect(goal.framesMax == 7 && goal.clipPercent == 0.25 && goal.floorCode == 40 && goal.checkLight == true)
        #expect(try arguments.input().spacing == 2)
        let request = try arguments.request()
        #expect(request.goal == BracketGoal(framesMax: 7, clipHundredths: 25, floorCode: 40, checksLight: true))
        #expect(request.spacing == .two)
    }

    @Test func `a given range and a range to find exclude each other`() throws {
        for option in ["--shadow", "--highlight", "--frames", "--bias"] {
            let value = option == "--frames" ? "5" : option == "--bias" ? "1" : "1/60"
            #expect(try refusal("--auto", option, value) == "--auto and \(option) exclude each other. Choose one.")
        }
        #expect(try refusal("--auto", "--metered", "1s", "1/60")?.hasPrefix("--auto and --metered") == true)
        #expect(try refusal("--auto", "--share", "once")?.hasPrefix("--auto and --share") == true)
    }

    @Test func `a number without auto or out of its range is refused`() throws {
        #expect(try refusal("--max-frames", "7") == "--max-frames needs --auto.")
        #expect(try refusal("--clip", "1") == "--clip needs --auto.")
        #expect(try refusal("--floor", "40") == "--floor needs --auto.")
        #expect(try refusal("--check-light") == "--check-light needs --auto.")
        #expect(try refusal("--auto", "--max-frames", "0") == "--max-frames: write a number from 1 to 55.")
        #expect(try refusal("--auto", "--clip", "50.5") == "--clip: write a number from 0 to 50.")
        #expect(try refusal("--auto", "--clip", "nan") == "--clip: write a number from 0 to 50.")
        #expect(try refusal("--auto", "--floor", "11") == "--floor: write a number from 12 to 118.")
    }
}
