#include "passes/mapping/pose.hpp"

#include "passes/mapping/room.hpp"

namespace tuff::passes {

void MappingPose::describe(PassInfo<MappingPose>& info) {
    info.summary("Makes the pose of a camera, from parameters or a recording")
        .details("Without a list the camera looks from \"position\" at \"target\", with y up. "
                 "With a list, the pose is its entry \"index\". An entry is four rows of four "
                 "numbers, like the concatenated files of 7-Scenes, or seven numbers, position "
                 "and quaternion, like TUM's files without their times. A pose beyond the "
                 "list's end, or with numbers that are not finite, is that of a lost camera.")
        .complexity("O(1)");
    info.optional_input("list", &MappingPose::list, "poses, one after the other").elements<float>();
    info.parameter("layout", &MappingPose::layout, "format of the list's poses");
    info.parameter("index", &MappingPose::index, "index of the pose in the list, from 0");
    info.parameter("position", &MappingPose::position, "position of the camera").unit("metres");
    info.parameter("target", &MappingPose::target, "point that the camera looks at").unit("metres");
    info.output("pose", &MappingPose::pose, "pose, camera to world").elements<glm::vec4>();
}

void MappingPose::build(Graph& graph) {
    const glm::mat4 rows =
        glm::transpose(glm::mat4(looking_at(glm::dvec3(position), glm::dvec3(target))));
    ComputeNodeBuilder node = graph.compute("mapping/pose");
    node.set("row_x", rows[0]);
    node.set("row_y", rows[1]);
    node.set("row_z", rows[2]);
    node.set("index", index);
    const bool matrices = layout == PoseLayout::matrices;
    node.set("numbers", matrices ? 16u : 7u);
    const std::uint64_t bytes = matrices ? kPoseDesc.size : 28;
    const std::uint64_t poses = list ? graph.desc(list).size / bytes : 0;
    node.set("poses", static_cast<std::uint32_t>(poses));
    node.read_optional("list", list);
    pose = node.write("camera_pose", graph.buffer("pose", kPoseDesc));
    node.dispatch(1);
}

TUFF_PASS(MappingPose)

} // namespace tuff::passes
