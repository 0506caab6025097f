#version 460
// The site of the cone that is nearest.

layout(location = 0) flat in uint site;
layout(location = 0) out uvec4 result;

void main() {
    result = uvec4(site);
}
