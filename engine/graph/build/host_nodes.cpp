#include <tuff/graph.hpp>

#include <string_view>
#include <utility>

/// The parts of Graph that declare work of the host.
namespace tuff {
namespace {

/// A function, of which nobody can tell whether it does the same as another one.
class FunctionTask final : public HostTask {
  public:
    explicit FunctionTask(std::function<Result<void>(const HostBuffers&)> function)
        : function_(std::move(function)) {}
    Result<void> run(const HostBuffers& buffers) override { return function_(buffers); }

  private:
    std::function<Result<void>(const HostBuffers&)> function_;
};

} // namespace

HostNodeBuilder Graph::host(std::string_view name,
                            std::function<Result<void>(const HostBuffers&)> function) {
    return host(name, std::make_shared<FunctionTask>(std::move(function)));
}

HostNodeBuilder Graph::host(std::string_view name, std::shared_ptr<HostTask> task) {
    const NodeId node = add_node(name);
    attach_payload(node, HostNode{std::move(task)});
    return {*this, node};
}

// Sizes differ from rank to rank, so that the compiler may choose other levels: all of these nodes
// write one buffer, one after the other.
std::int32_t Graph::order_messages(HostNodeBuilder& node) {
    if (!last_exchange_) {
        // It goes on beyond the iteration of a loop that sends the first message.
        const std::vector<OpenIteration> open = std::exchange(open_iterations_, {});
        last_exchange_ = buffer("exchanges", {.size = 4, .stride = 4});
        open_iterations_ = open;
        const ResourceId word = desc_.versions[last_exchange_.version.index].resource;
        desc_.resources[word.index].orders_only = true;
    }
    last_exchange_ = node.write(last_exchange_);
    node.keep();
    return message_tags_++;
}

void HostNodeBuilder::read(BufferView view) {
    graph_->add_read(node_, view.buffer.version, view.range, Access::host_node_read, stage::kNone);
}

Buffer HostNodeBuilder::write(BufferView view) {
    return {graph_
                ->add_write(node_, view.buffer.version, view.range, Access::host_node_write,
                            stage::kNone)
                .version};
}

void HostNodeBuilder::keep() {
    graph_->desc_.nodes[node_.index].side_effect = true;
}

} // namespace tuff
