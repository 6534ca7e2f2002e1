import Statecharts
import Testing

@Suite struct StateSetTests {
    @Test(arguments: [1, 2, 31, 63, 64])
    func `a small set finds its members from both sides`(state: Int) {
        var set = SmallSet()
        set.insert(state)
        #expect(set.contains(state))
        #expect(set.members == [state])
        #expect(set.next(after: 0) == state)
        #expect(set.next(after: state) == nil)
        #expect(set.last(before: 65) == state)
        #expect(set.last(before: state) == nil)
        set.remove(state)
        #expect(set.isEmpty)
    }

    @Test(arguments: [1, 63, 64, 65, 127, 128, 200])
    func `a wide set finds its members from both sides`(state: Int) {
        var set = WideSet(highest: 200)
        set.insert(state)
        #expect(set.contains(state))
        #expect(set.members == [state])
        #expect(set.next(after: 0) == state)
        #expect(set.next(after: state) == nil)
        #expect(set.last(before: 201) == state)
        #expect(set.last(before: state) == nil)
        set.remove(state)
        #expect(set.isEmpty)
    }
}
