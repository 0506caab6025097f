#include "tests/reference/animation_reference.hpp"

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>

namespace tuff::test {
namespace {

using Numbers = std::vector<double>;

Numbers slerped(const Numbers& a, const Numbers& b, double t) {
    double cosine = 0.0;
    for (std::size_t i = 0; i < 4; ++i)
        cosine += a[i] * b[i];
    const double sign = cosine < 0.0 ? -1.0 : 1.0;
    const double angle = std::acos(std::min(std::abs(cosine), 1.0));
    Numbers result(4);
    for (std::size_t i = 0; i < 4; ++i)
        result[i] = angle < 1e-9
                        ? a[i]
                        : (std::sin((1.0 - t) * angle) * a[i] + sign * std::sin(t * angle) * b[i]) /
                              std::sin(angle);
    return result;
}

Numbers unit(Numbers q) {
    double square = 0.0;
    for (const double c : q)
        square += c * c;
    for (double& c : q)
        c /= std::sqrt(square);
    return q;
}

Numbers value_of(const AnimatedModel::Channel& channel, double time) {
    const bool cubic = channel.interpolation == "CUBICSPLINE";
    const std::size_t keys = channel.times.size();
    const std::size_t floats = channel.values.size() / keys / (cubic ? 3 : 1);
    const auto part = [&](std::size_t key, std::size_t which) {
        Numbers v;
        const std::size_t first = (cubic ? key * 3 + which : key) * floats;
        for (std::size_t i = 0; i < floats; ++i)
            v.push_back(static_cast<double>(channel.values[first + i]));
        return v;
    };
    const auto at = [&](std::size_t key) { return static_cast<double>(channel.times[key]); };
    const bool rotation = channel.path == "rotation";
    const auto finished = [&](Numbers v) { return rotation ? unit(std::move(v)) : v; };
    if (time <= at(0)) return finished(part(0, 1));
    if (time >= at(keys - 1)) return finished(part(keys - 1, 1));
    std::size_t key = 0;
    while (at(key + 1) <= time)
        ++key;
    if (channel.interpolation == "STEP") return finished(part(key, 1));
    const double span = at(key + 1) - at(key);
    const double t = (time - at(key)) / span;
    const Numbers a = part(key, 1);
    const Numbers b = part(key + 1, 1);
    if (!cubic && rotation) return finished(slerped(unit(a), unit(b), t));
    Numbers v(floats);
    for (std::size_t i = 0; i < floats; ++i) {
        v[i] = (1.0 - t) * a[i] + t * b[i];
        if (cubic)
            v[i] = (2 * t * t * t - 3 * t * t + 1) * a[i] +
                   span * (t * t * t - 2 * t * t + t) * part(key, 2)[i] +
                   (-2 * t * t * t + 3 * t * t) * b[i] +
                   span * (t * t * t - t * t) * part(key + 1, 0)[i];
    }
    return finished(v);
}

Numbers lerped(const Numbers& a, const Numbers& b, double t) {
    Numbers v(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        v[i] = (1.0 - t) * a[i] + t * b[i];
    return v;
}

template <typename V>
Numbers numbers(const V& v) {
    Numbers all;
    for (glm::length_t i = 0; i < v.length(); ++i)
        all.push_back(static_cast<double>(v[i]));
    return all;
}

class Poser {
  public:
    Poser(const AnimatedModel& model, const ClipMoment& first, const ClipMoment& second,
          double share)
        : model_(model), first_(first), second_(second), share_(share) {}

    std::vector<PlacedMesh> meshes() const {
        std::vector<PlacedMesh> all;
        for (std::size_t i = 0; i < model_.nodes.size(); ++i)
            if (model_.nodes[i].parent < 0) walk(static_cast<int>(i), all);
        return all;
    }

    std::vector<glm::dmat4> nodes() const {
        std::vector<glm::dmat4> all;
        for (std::size_t i = 0; i < model_.nodes.size(); ++i)
            all.push_back(world_of(static_cast<int>(i)));
        return all;
    }

  private:
    const AnimatedModel::Node& node_of(int node) const {
        return model_.nodes[static_cast<std::size_t>(node)];
    }

    Numbers in_clip(const ClipMoment& moment, int node, const std::string& path,
                    const Numbers& rest) const {
        for (const AnimatedModel::Clip& clip : model_.clips)
            for (const AnimatedModel::Channel& channel : clip.channels)
                if (clip.name == moment.clip && channel.node == node && channel.path == path)
                    return value_of(channel, moment.time);
        return rest;
    }

    Numbers property(int node, const std::string& path, const Numbers& rest) const {
        const Numbers a = in_clip(first_, node, path, rest);
        if (share_ == 0.0) return a;
        const Numbers b = in_clip(second_, node, path, rest);
        return path == "rotation" ? slerped(unit(a), unit(b), share_) : lerped(a, b, share_);
    }

    glm::dmat4 world_of(int node) const {
        const AnimatedModel::Node& n = node_of(node);
        const Numbers t = property(node, "translation", numbers(n.translation));
        const Numbers r = property(node, "rotation", numbers(n.rotation));
        const Numbers s = property(node, "scale", numbers(n.scale));
        const glm::dmat4 local =
            glm::translate(glm::dmat4(1.0), glm::dvec3(t[0], t[1], t[2])) *
            glm::mat4_cast(glm::normalize(glm::dquat(r[3], r[0], r[1], r[2]))) *
            glm::scale(glm::dmat4(1.0), glm::dvec3(s[0], s[1], s[2]));
        return n.parent < 0 ? local : world_of(n.parent) * local;
    }

    glm::dmat4 joint_matrix(const AnimatedModel::Skin& skin, std::size_t joint) const {
        glm::dmat4 bind(1.0);
        for (int c = 0; c < 4 && !skin.inverse_bind.empty(); ++c)
            for (int r = 0; r < 4; ++r)
                bind[c][r] = static_cast<double>(
                    skin.inverse_bind[joint][static_cast<std::size_t>(4 * c + r)]);
        return world_of(skin.joints[joint]) * bind;
    }

    void walk(int node, std::vector<PlacedMesh>& all) const {
        if (node_of(node).mesh >= 0) all.push_back(placed(node));
        for (std::size_t i = 0; i < model_.nodes.size(); ++i)
            if (model_.nodes[i].parent == node) walk(static_cast<int>(i), all);
    }

    PlacedMesh placed(int node) const {
        const AnimatedModel::Node& n = node_of(node);
        const AnimatedModel::Mesh& mesh = model_.meshes[static_cast<std::size_t>(n.mesh)];
        Numbers rest;
        for (const float weight : mesh.target_weights)
            rest.push_back(static_cast<double>(weight));
        const Numbers weights = property(node, "weights", rest);
        const glm::dmat4 world = world_of(node);
        std::vector<glm::dmat4> joints;
        const bool skinned = n.skin >= 0 && mesh.sets > 0;
        if (skinned) {
            const AnimatedModel::Skin& skin = model_.skins[static_cast<std::size_t>(n.skin)];
            for (std::size_t j = 0; j < skin.joints.size(); ++j)
                joints.push_back(joint_matrix(skin, j));
        }
        PlacedMesh result{.node = node};
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            glm::dvec3 position(mesh.positions[v]);
            glm::dvec3 normal(mesh.normals[v]);
            glm::dvec3 tangent(mesh.tangents[v]);
            for (std::size_t t = 0; t < mesh.targets.size(); ++t) {
                const AnimatedModel::Target& target = mesh.targets[t];
                position += weights[t] * glm::dvec3(target.positions[v]);
                if (!target.normals.empty()) normal += weights[t] * glm::dvec3(target.normals[v]);
                if (!target.tangents.empty())
                    tangent += weights[t] * glm::dvec3(target.tangents[v]);
            }
            glm::dmat4 matrix = world;
            if (skinned) {
                matrix = glm::dmat4(0.0);
                for (std::size_t i = 0; i < 4 * static_cast<std::size_t>(mesh.sets); ++i)
                    matrix += static_cast<double>(mesh.weights[v][i]) * joints[mesh.joints[v][i]];
            }
            const double side = glm::determinant(glm::dmat3(matrix)) < 0.0 ? -1.0 : 1.0;
            result.positions.emplace_back(matrix * glm::dvec4(position, 1.0));
            result.normals.push_back(
                glm::normalize(glm::transpose(glm::inverse(glm::dmat3(matrix))) * normal));
            result.tangents.emplace_back(glm::normalize(glm::dmat3(matrix) * tangent),
                                         side * static_cast<double>(mesh.tangents[v].w));
        }
        return result;
    }

    const AnimatedModel& model_;
    const ClipMoment& first_;
    const ClipMoment& second_;
    double share_;
};

} // namespace

std::vector<PlacedMesh> pose_model(const AnimatedModel& model, const ClipMoment& first,
                                   const ClipMoment& second, double share) {
    return Poser(model, first, second, share).meshes();
}

std::vector<glm::dmat4> pose_nodes(const AnimatedModel& model, const ClipMoment& first,
                                   const ClipMoment& second, double share) {
    return Poser(model, first, second, share).nodes();
}

} // namespace tuff::test
