enum SVGStyle {
    /// The colours of arrows. Their luminance is equal, so none is more prominent, and all can be printed in grey.
    static let colours = [
        "#2b5c8a", "#9a4a1f", "#3f6b35", "#7a3b69", "#1f7373", "#756012", "#5046a0", "#a3324a",
    ]

    static let text: String = {
        var lines = ["<defs>"]
        for (number, colour) in colours.enumerated() {
            lines.append(
                """
                <marker id="arrow-\(number)" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" \
                orient="auto" markerUnits="userSpaceOnUse"><path d="M0 0.5L8 4L0 7.5z" fill="\(colour)"/></marker>
                """
            )
        }
        lines.append(
            """
            <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto" \
            markerUnits="userSpaceOnUse"><path d="M0 0.5L8 4L0 7.5z" fill="#1f2733"/></marker>
            </defs>
            <style>
            text { font: 11px "Helvetica Neue", Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif; }
            text { fill: #1f2733; }
            .page { fill: #ffffff; }
            text.heading { font-size: 20px; font-weight: bold; }
            text.comment { fill: #5a6472; }
            text.name { font-size: 13px; font-weight: bold; }
            text.mark { font-weight: bold; text-anchor: middle; }
            .state rect { fill: #ffffff; stroke: #4a5565; stroke-width: 1.2; }
            .compound rect, .parallel rect { fill: #f4f6f8; stroke: #8a94a3; }
            .compound.even rect { fill: #ffffff; }
            .region rect { fill: #fafbfc; stroke: #d5dae1; stroke-width: 1; }
            .state rect.inner { fill: none; }
            .history circle { fill: #ffffff; stroke: #4a5565; stroke-width: 1.2; }
            .state.active rect { fill: #fffaea; stroke: #9a6700; stroke-width: 2.4; }
            .leaf.active rect, .final.active rect { fill: #ffefb8; }
            .divider { stroke: #8a94a3; stroke-width: 1.2; stroke-dasharray: 6 4; fill: none; }
            .initial circle { fill: #1f2733; }
            .initial path { stroke: #1f2733; stroke-width: 1.2; marker-end: url(#arrow); }
            .keyword { fill: #5a6472; font-style: italic; }
            .condition { fill: #7a4b00; }
            .action { fill: #5a6472; }
            .target { font-weight: bold; }
            .leader { fill: none; stroke-width: 1; stroke-dasharray: 1 2; }
            .arrow { fill: none; stroke-width: 1.2; }
            """
        )
        for (number, colour) in colours.enumerated() {
            lines.append(".arrow.n\(number) { stroke: \(colour); marker-end: url(#arrow-\(number)); }")
            lines.append(".leader.n\(number) { stroke: \(colour); }")
            lines.append(".target.n\(number) { fill: \(colour); }")
        }
        lines.append(
            """
            .transition:hover .arrow { stroke: #c2410c; stroke-width: 2.6; }
            .transition:hover tspan { fill: #c2410c; }
            </style>
            """
        )
        return lines.joined(separator: "\n")
    }()
}
