#include <tuff/resources.hpp>

namespace tuff {

ImageView ImageView::mip(std::uint32_t level, std::uint32_t count) const {
    ImageView view = *this;
    view.range.mip += level;
    view.range.mips = count;
    return view;
}

ImageView ImageView::layer(std::uint32_t first, std::uint32_t count) const {
    ImageView view = *this;
    view.range.layer += first;
    view.range.layers = count;
    return view;
}

BufferView::BufferView(Buffer source, std::uint64_t offset, std::uint64_t size) : buffer(source) {
    range.offset = offset;
    range.size = size;
}

} // namespace tuff
