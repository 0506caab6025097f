#pragma once

// Vulkan as the engine uses it: types and volk's function pointers, no linked prototypes.
// Device functions are called through a VolkDeviceTable, never through volk's globals, because
// those belong to whichever device was loaded last.

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include "volk_names.h" // generated: before volk.h

#include <volk.h>
