import Foundation
import SCXML
import Testing

/// The code and the position of each error in the profile of the recommendation.
@Suite struct RecommendationFaultTests {
    /// The content of the root, which starts in line 2, and its errors.
    private static let structure: [(inside: String, faults: [String])] = [
        ("", ["E002 1:1"]),
        ("<transition event='e'/><state/>", ["E002 2:1"]),
        ("<initial/><state/>", ["E002 2:1"]),
        ("<history/><state/>", ["E002 2:1"]),
        ("<onentry/><state/>", ["E002 2:1"]),
        ("<send event='e'/><state/>", ["E002 2:1"]),
        ("<stat/><state/>", ["E002 2:1"]),
        ("<final><state/></final>", ["E002 2:8"]),
        ("<final><transition event='e'/></final>", ["E002 2:8"]),
        ("<parallel><final/></parallel>", ["E002 2:11"]),
        ("<parallel><initial/><state/></parallel>", ["E002 2:11"]),
        ("<state><raise event='e'/></state>", ["E002 2:8"]),
        ("<state><bd:do action='x'/></state>", ["E002 2:8"]),
        ("<state><donedata/></state>", ["E002 2:8"]),
        ("<state><onentry><state/></onentry></state>", ["E002 2:17"]),
        ("<state><onentry><elseif cond='x'/></onentry></state>", ["E002 2:17"]),
        ("<final><donedata/><donedata/></final>", ["E002 2:19"]),
        ("<datamodel/><datamodel/><state/>", ["E002 2:13"]),

        ("<state id=''/>", ["E003 2:1"]),
        ("<state id='a b'/>", ["E003 2:1"]),
        ("<parallel initial='a'><state id='a'/></parallel>", ["E003 2:1"]),
        ("<final initial='a' id='a'/>", ["E003 2:1"]),
        ("<state><history type='flat'><transition target='b'/></history><state id='b'/></state>", ["E003 2:8"]),
        ("<state><transition event='e' type='inner'/></state>", ["E003 2:8"]),
        ("<state><transition event='e' target=' '/></state>", ["E003 2:8"]),
        ("<datamodel><data expr='1'/></datamodel><state/>", ["E003 2:12"]),
        ("<datamodel><data id='x' expr='1'>2</data></datamodel><state/>", ["E003 2:12"]),

        ("<script/><state/>", ["E004 2:1"]),
        ("<state><invoke/></state>", ["E004 2:8"]),
        ("<datamodel><data id='x' src='y'/></datamodel><state/>", ["E004 2:12"]),
        ("<datamodel><data id='x'><x:y/></data></datamodel><state/>", ["E004 2:25"]),
        ("<state><transition cond='function() {}'/></state>", ["E004 2:8"]),

        ("<state id='a'/><final id='a'/>", ["E005 2:16"]),
        ("<datamodel><data id='x'/><data id='x'/></datamodel><state/>", ["E005 2:26"]),
        ("<state><transition event='e' target='nowhere'/></state>", ["E007 2:8"]),
        ("<state initial='nowhere'><state/></state>", ["E007 2:1"]),

        ("<state initial='b'><state id='a'/></state><state id='b'/>", ["E008 2:1"]),
        ("<state initial=''><state id='a'/></state>", ["E008 2:1"]),
        ("<state id='a' initial='a'/>", ["E008 2:1"]),
        ("<state><initial><transition target='b'/></initial></state><state id='b'/>", ["E008 2:1"]),
        (
            "<state initial='a'><initial><transition target='a'/></initial><state id='a'/></state>",
            ["E008 2:1"]
        ),
        ("<state><initial><transition event='e' target='a'/></initial><state id='a'/></state>", ["E008 2:17"]),
        ("<state><initial><transition cond='e' target='a'/></initial><state id='a'/></state>", ["E008 2:17"]),
        ("<state><initial><transition/></initial><state id='a'/></state>", ["E008 2:17"]),
        ("<state><initial/><state id='a'/></state>", ["E008 2:8"]),
        ("<state><initial><transition target='b'/></initial><state id='a'/></state><state id='b'/>", ["E008 2:17"]),

        ("<state><history/><state/></state>", ["E009 2:8"]),
        ("<state><history><transition target='a'/></history></state><state id='a'/>", ["E009 2:8"]),
        ("<state><history><transition/></history><state/></state>", ["E009 2:17"]),
        ("<state><history><transition event='e' target='a'/></history><state id='a'/></state>", ["E009 2:17"]),
        ("<state><history><transition target='b'/></history><state/></state><state id='b'/>", ["E009 2:17"]),
        ("<state><history id='h'><transition target='h'/></history><state/></state>", ["E009 2:24"]),

        ("<state id='a'><transition event='e' target='a b'/></state><state id='b'/>", ["E010 2:15"]),
        ("<state id='a'><state id='b'/><transition event='e' target='b a'/></state>", ["E010 2:30"]),
        ("<parallel id='p'><state id='b'/><transition event='e' target='p b'/></parallel>", ["E010 2:33"]),
        (
            "<parallel><state id='p'><state id='b'/></state><transition event='e' target='p b'/></parallel>",
            ["E010 2:48"]
        ),
        (
            "<parallel><state id='p'><state id='b'/></state><transition event='e' target='b p'/></parallel>",
            ["E010 2:48"]
        ),

        ("<state><transition event=' '/></state>", ["E011 2:8"]),
        ("<state><transition event='a..b'/></state>", ["E011 2:8"]),
        ("<state><transition event='a.*.b'/></state>", ["E011 2:8"]),
        ("<state><transition/></state>", ["E014 2:8"]),
    ]

    @Test(arguments: structure)
    func `an invalid structure is refused at its position`(inside: String, faults: [String]) {
        let chart = Recommended.chart(inside)
        #expect(Recommended.faults(chart) == faults, "\(chart.diagnostics)")
        #expect(chart.document == nil)
    }

    /// The content on entry, which starts in column 24 of line 2, and its errors.
    private static let content: [(content: String, faults: [String])] = [
        ("<raise event='e'><raise event='f'/></raise>", ["E002 2:41"]),
        ("<if cond='a'><else/><elseif cond='b'/></if>", ["E002 2:44"]),
        ("<if cond='a'><else/><else/></if>", ["E002 2:44"]),
        ("<send event='e'><raise event='f'/></send>", ["E002 2:40"]),
        ("<send event='e'><content>1</content><content>2</content></send>", ["E002 2:60"]),
        ("<send event='e'><param name='p' expr='1'/><content>2</content></send>", ["E002 2:24"]),

        ("<raise/>", ["E003 2:24"]),
        ("<if/>", ["E003 2:24"]),
        ("<if cond='a'><elseif/></if>", ["E003 2:37"]),
        ("<foreach array='x'/>", ["E003 2:24"]),
        ("<foreach item='x'/>", ["E003 2:24"]),
        ("<assign expr='1'/>", ["E003 2:24"]),
        ("<assign location='x'/>", ["E003 2:24"]),
        ("<assign location='x' expr='1'>2</assign>", ["E003 2:24"]),
        ("<send/>", ["E003 2:24"]),
        ("<send event='e' eventexpr='f'/>", ["E003 2:24"]),
        ("<send event='e' target='t' targetexpr='f'/>", ["E003 2:24"]),
        ("<send event='e' type='t' typeexpr='f'/>", ["E003 2:24"]),
        ("<send event='e' id='i' idlocation='f'/>", ["E003 2:24"]),
        ("<send event='e' delay='1s' delayexpr='f'/>", ["E003 2:24"]),
        ("<send event='e' delay='1s' target='#_internal'/>", ["E003 2:24"]),
        ("<send event='e' namelist='x'><content>1</content></send>", ["E003 2:24"]),
        ("<send event='e'><content expr='1'>1</content></send>", ["E003 2:40"]),
        ("<send event='e'><param expr='1'/></send>", ["E003 2:40"]),
        ("<send event='e'><param name='p'/></send>", ["E003 2:40"]),
        ("<send event='e'><param name='p' expr='1' location='x'/></send>", ["E003 2:40"]),
        ("<cancel/>", ["E003 2:24"]),
        ("<cancel sendid='a' sendidexpr='b'/>", ["E003 2:24"]),
        ("<bd:do/>", ["E003 2:24"]),

        ("<script>x = 1</script>", ["E004 2:24"]),
        ("<x:print/>", ["E004 2:24"]),
        ("<bd:input name='x'/>", ["E004 2:24"]),
        ("<if cond='a'><x:print/></if>", ["E004 2:37"]),
        ("<foreach array='a' item='b'><x:print/></foreach>", ["E004 2:52"]),
        ("<send event='e'><x:print/></send>", ["E004 2:40"]),
        ("<send event='e'><content><x:y/></content></send>", ["E004 2:49"]),
        ("<assign location='x'><y/></assign>", ["E004 2:45"]),
        ("<log expr='f(x)'/>", ["E004 2:24"]),
        ("<send event='e' namelist='a[function(){}]'/>", ["E004 2:24"]),

        ("<raise event='*'/>", ["E011 2:24"]),
        ("<raise event='a.*'/>", ["E011 2:24"]),
        ("<raise event=''/>", ["E011 2:24"]),
        ("<raise event='a..b'/>", ["E011 2:24"]),
        ("<raise event='a b'/>", ["E011 2:24"]),
        ("<send event='*'/>", ["E011 2:24"]),
    ]

    @Test(arguments: content)
    func `invalid content is refused at its position`(content: String, faults: [String]) {
        let chart = Recommended.entry(content)
        #expect(Recommended.faults(chart) == faults, "\(chart.diagnostics)")
        #expect(chart.document == nil)
    }

    @Test(arguments: ["", "datamodel='null'", "datamodel='swift'"])
    func `without a data model, elements that need data are not supported`(root: String) {
        let contents = [
            "<assign location='x' expr='1'/>", "<foreach array='x' item='y'/>", "<cancel sendidexpr='x'/>",
            "<send eventexpr='x'/>", "<send event='e' targetexpr='x'/>", "<send event='e' typeexpr='x'/>",
            "<send event='e' idlocation='x'/>", "<send event='e' namelist='x'/>",
        ]
        for content in contents {
            #expect(Recommended.faults(Recommended.entry(content, root: root)) == ["E004 2:24"], "\(content)")
        }
        let inner = [
            "<send event='e'><param name='x' expr='1'/></send>", "<send event='e'><content expr='1'/></send>",
        ]
        for content in inner {
            #expect(Recommended.faults(Recommended.entry(content, root: root)) == ["E004 2:40"], "\(content)")
        }
        let data = Recommended.chart("<datamodel><data id='x'/></datamodel><state/>", root: root)
        #expect(Recommended.faults(data) == ["E004 2:1"])
        let allowed = "<log expr='x'/><if cond='y'/><send event='e' delayexpr='z'><content>text</content></send>"
        #expect(Recommended.entry(allowed, root: root).document != nil)
        #expect(Recommended.chart("<datamodel/><state/>", root: root).document != nil)
    }

    @Test func `an unknown data model is reported once, and its expressions are not checked`() {
        let chart = Recommended.chart(
            "<datamodel><data id='x' expr='function() {}'/></datamodel><state><transition cond='f(x)'/></state>",
            root: "datamodel='xpath'"
        )
        #expect(Recommended.faults(chart) == ["E004 1:1"])
    }

    @Test func `a binding is early or late`() {
        #expect(Recommended.faults(Recommended.chart("<state/>", root: "binding='never'")) == ["E003 1:1"])
    }

    @Test func `errors are reported in the order of the file`() {
        let chart = Recommended.chart("<state id='a'><transition/></state>\n<state id='a' initial='x'/>\n<script/>")
        #expect(Recommended.faults(chart) == ["E014 2:15", "E005 3:1", "E008 3:1", "E004 4:1"])
    }

    @Test func `a root outside the SCXML namespace is refused`() {
        for text in ["<scxml><state/></scxml>", "<state xmlns='http://www.w3.org/2005/07/scxml'/>"] {
            let chart = Chart(reading: Data(text.utf8), as: .recommendation)
            #expect(Recommended.faults(chart) == ["E001 1:1"])
        }
    }
}
