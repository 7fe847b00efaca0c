import Testing
import TideGraph
import TideReport
import TideValue

struct PlanGraphTests {
  @Test func `DOT has a box for each queue and a style for each edge`() throws {
    #expect(
      PlanGraph.dot(try Samples.gather()) == #"""
        digraph plan {
          rankdir=LR;
          n0 [label="input\napi", shape=ellipse];
          n1 [label="input\nuid", shape=ellipse];
          n2 [label="input\norder", shape=ellipse];
          n3 [label="secret\nkey", shape=ellipse];
          n4 [label="step\ntoken", shape=box];
          n7 [label="merge\nshares\nwait = settled", shape=hexagon];
          n8 [label="sort\npage", shape=box, penwidth=3];
          subgraph cluster_0 {
            label="queue line (width 1)";
            n5 [label="request\ndetail", shape=box];
            n6 [label="request\nreward", shape=box];
          }
          n1 -> n4;
          n3 -> n4;
          n0 -> n5;
          n4 -> n5;
          n2 -> n5;
          n1 -> n6;
          n4 -> n6 [style=dashed, label="after"];
          n5 -> n7 [arrowhead=empty];
          n6 -> n7 [arrowhead=empty];
          n7 -> n8;
        }

        """#)
  }

  @Test func `Mermaid has the same`() throws {
    #expect(
      PlanGraph.mermaid(try Samples.gather()) == #"""
        flowchart LR
          n0(["input<br>api"])
          n1(["input<br>uid"])
          n2(["input<br>order"])
          n3(["secret<br>key"])
          n4["step<br>token"]
          n7{{"merge<br>shares<br>wait = settled"}}
          n8["sort<br>page"]
          subgraph q0["queue line (width 1)"]
            n5["request<br>detail"]
            n6["request<br>reward"]
          end
          n1 --> n4
          n3 --> n4
          n0 --> n5
          n4 --> n5
          n2 --> n5
          n1 --> n6
          n4 -. after .-> n6
          n5 --o n7
          n6 --o n7
          n7 --> n8
          classDef result stroke-width:3px
          class n8 result

        """#)
  }

  @Test func `a question and a count are marked`() throws {
    let plan = try Samples.race()
    let dot = PlanGraph.dot(plan)
    #expect(dot.contains(#"n2 [label="barrier\none\nwait = 1", shape=hexagon, penwidth=3];"#))
    #expect(dot.contains(#"n0 -> n3 [style=dotted, label="asks"];"#))
    #expect(PlanGraph.mermaid(plan).contains("  n0 -. asks .-> n3\n"))
    #expect(PlanGraph.mermaid(plan).hasSuffix("  class n2,n3 result\n"))
  }

  @Test func `names can't break out of their label`() throws {
    var script = Script()
    let queue = try script.queue("q\"]\\\n", width: 2)
    let a = try script.node(
      "step", "a\"];x<b>&`#\\n\nz", [], ["run": .function(FunctionID(0)), "queue": .queue(queue)])
    let plan = try script.plan(a)
    #expect(
      PlanGraph.dot(plan) == #"""
        digraph plan {
          rankdir=LR;
          subgraph cluster_0 {
            label="queue q\"]\\  (width 2)";
            n0 [label="step\na\"];x<b>&`#\\n z", shape=box, penwidth=3];
          }
        }

        """#)
    #expect(
      PlanGraph.mermaid(plan) == """
        flowchart LR
          subgraph q0["queue q#34;]#92;  (width 2)"]
            n0["step<br>a#34;];x#60;b#62;#38;#96;#35;#92;n z"]
          end
          classDef result stroke-width:3px
          class n0 result

        """)
  }

  @Test func `an empty plan is an empty graph`() {
    #expect(PlanGraph.dot(Plan(nodes: [])) == "digraph plan {\n  rankdir=LR;\n}\n")
    #expect(PlanGraph.mermaid(Plan(nodes: [])) == "flowchart LR\n")
  }
}
