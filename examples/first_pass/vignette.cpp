#include <tuff/pass.hpp>

#include <string_view>

struct Vignette {
    static constexpr std::string_view kName = "example/vignette";

    tuff::Image source;
    float strength = 0.5f;
    tuff::Image result;

    static void describe(tuff::PassInfo<Vignette>& info) {
        info.summary("Darkens a picture towards its corners").complexity("O(texels)");
        info.input("source", &Vignette::source, "the picture").picture();
        info.parameter("strength", &Vignette::strength, "share of the light that the corners lose")
            .range(0.0, 1.0);
        info.output("result", &Vignette::result, "of the source's size and format");
    }

    void build(tuff::Graph& graph) {
        tuff::ComputeNodeBuilder node = graph.compute("example/vignette");
        node.set("strength", strength);
        node.read("source", source);
        result = node.write("result", graph.image("result", graph.desc(source)));
        node.dispatch_over(graph.extent(source));
    }
};

TUFF_PASS(Vignette)
