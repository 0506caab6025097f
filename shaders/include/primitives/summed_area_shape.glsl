// Summed-area tables of pictures and of volumes, of floats and of whole numbers. Before the include,
// define VOLUME, INTEGERS, both or neither.
#if VOLUME
#define PLACE ivec3
#define PICTURE sampler3D
#else
#define PLACE ivec2
#define PICTURE sampler2D
#endif

#if VOLUME && INTEGERS
#define SUMS usampler3D
#define SUMS_WRITTEN uimage3D
#elif VOLUME
#define SUMS sampler3D
#define SUMS_WRITTEN image3D
#elif INTEGERS
#define SUMS usampler2D
#define SUMS_WRITTEN uimage2D
#else
#define SUMS sampler2D
#define SUMS_WRITTEN image2D
#endif

#if INTEGERS
#define TEXEL uvec4
#else
#define TEXEL vec4
#endif
