#include "core/element_numbers.hpp"

#include <Imath/half.h>

namespace tuff {

std::uint16_t half_bits(float value) {
    return imath_float_to_half(value);
}

} // namespace tuff
