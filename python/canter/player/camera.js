// A camera that orbits a target, and where it sees a point: x right, y down, in pixels of a view.

const FIELD = 0.55; // radians from the top to the bottom of a view

class Camera {
  constructor(elevation, azimuth) {
    this.home = { elevation: (elevation * Math.PI) / 180, azimuth: (azimuth * Math.PI) / 180 };
    this.target = [0, 0, 0];
    this.reset();
  }

  reset() {
    Object.assign(this, this.home, { zoom: 1, pan: [0, 0, 0] });
  }

  orbit(dx, dy) {
    this.azimuth -= dx;
    this.elevation = Math.min(Math.max(this.elevation + dy, -Math.PI / 2), Math.PI / 2);
  }

  magnify(factor) {
    this.zoom = Math.min(Math.max(this.zoom * factor, 0.1), 20);
  }

  // By so many pixels of the view that was aimed at last.
  shift(dx, dy) {
    const scale = this.distance / this.focal;
    for (let k = 0; k < 3; ++k) this.pan[k] += (this.up[k] * dy - this.right[k] * dx) * scale;
  }

  // Look at `target` so that a ball of `size` across fills the view {x, y, width, height}.
  aim(target, size, view) {
    const [sin, cos] = [Math.sin(this.azimuth), Math.cos(this.azimuth)];
    const [rise, level] = [Math.sin(this.elevation), Math.cos(this.elevation)];
    this.back = [sin * level, rise, cos * level]; // from the target to the eye
    this.right = [cos, 0, -sin];
    this.up = [-sin * rise, level, -cos * rise];
    this.target = target.map((value, k) => value + this.pan[k]);
    this.view = view;
    // Bodies are taller than they are wide.
    this.focal = Math.min(view.height, 1.5 * view.width) / 2 / Math.tan(FIELD / 2);
    this.distance = size / 2 / Math.sin(FIELD / 2) / this.zoom;
    this.near = 0.02 * this.distance;
  }

  // Into `out`: x and y in pixels, the distance from the eye, pixels a unit there. False when it is behind the eye.
  project(x, y, z, out) {
    const { target, right, up, back, view } = this;
    const [dx, dy, dz] = [x - target[0], y - target[1], z - target[2]];
    const depth = this.distance - (dx * back[0] + dy * back[1] + dz * back[2]);
    if (depth < this.near) return false;
    const scale = this.focal / depth;
    out.x = view.x + view.width / 2 + (dx * right[0] + dy * right[1] + dz * right[2]) * scale;
    out.y = view.y + view.height / 2 - (dx * up[0] + dy * up[1] + dz * up[2]) * scale;
    out.depth = depth;
    out.scale = scale;
    return true;
  }
}
