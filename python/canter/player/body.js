// A body: limbs that taper, the nearer over the farther, its shadow on the ground and the trails behind it.

// A part of the way from one point that is seen to another.
function between(a, b, way) {
  const mix = (key) => a[key] + (b[key] - a[key]) * way;
  return { x: mix("x"), y: mix("y"), scale: mix("scale") };
}

class Body {
  static TRAIL = 1.5; // seconds
  static FINE = 3; // pixels; thinner limbs are drawn plain
  static CASTING = 150; // limbs that cast a shadow, the thickest; one path of many more is slow
  static WAY = 15; // seconds of the way over the ground, before and after
  static STEP = 0.05;

  constructor(motion, index, trails) {
    const { body } = motion;
    Object.assign(this, { motion, index, trails, limbs: body.limbs });
    this.seen = Array.from({ length: body.points }, () => ({ x: 0, y: 0, depth: 0, scale: 0, front: false }));
    this.order = body.limbs.map((_, i) => i);
    this.drawn = new Set(body.limbs.flatMap(([from, to]) => [from, to]));
    this.loose = this.seen.map((_, i) => i).filter((i) => !this.drawn.has(i) && !body.anchors.includes(i));
    this.casting = body.limbs.slice().sort((one, other) => Math.max(other[2], other[3]) - Math.max(one[2], one[3])).slice(0, Body.CASTING);
    this.extent = this.extentOf();
  }

  // The middle and the width of the box that the root stays in.
  extentOf() {
    const { motion } = this;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < motion.body.samples; ++i) {
      for (let axis = 0; axis < 3; ++axis) {
        const value = motion.point(i, motion.body.root, axis);
        low[axis] = Math.min(low[axis], value);
        high[axis] = Math.max(high[axis], value);
      }
    }
    return { middle: low.map((value, k) => (value + high[k]) / 2), width: Math.max(...high.map((value, k) => value - low[k])) };
  }

  // Contacts that hold at a time of the clip.
  contactsAt(clock) {
    const { time } = this.motion.local(clock);
    return this.motion.body.contacts.filter((contact) => contact.spans.some(([from, to]) => from <= time && time <= to));
  }

  // All points at a time of the clock, moved over the ground by `shift`.
  pose(clock, shift) {
    this.clock = clock;
    this.points = this.motion.pose(clock);
    this.moved = shift[0] !== 0 || shift[1] !== 0;
    for (let i = 0; i < this.points.length; i += 3) {
      this.points[i] += shift[0];
      this.points[i + 2] += shift[1];
    }
    this.lit = new Set(this.contactsAt(clock).flatMap((contact) => contact.joints));
  }

  project(camera) {
    const { points, seen } = this;
    for (let i = 0; i < seen.length; ++i) seen[i].front = camera.project(points[3 * i], points[3 * i + 1], points[3 * i + 2], seen[i]);
  }

  drawShadow(context, camera, color) {
    const { points, casting, motion } = this;
    const path = new Path2D();
    const [from, to] = [{}, {}];
    const flat = Math.max(0.3, Math.abs(Math.sin(camera.elevation)));
    for (const [a, b, r0, r1] of casting) {
      if (!camera.project(points[3 * a], motion.body.ground, points[3 * a + 2], from)) continue;
      if (!camera.project(points[3 * b], motion.body.ground, points[3 * b + 2], to)) continue;
      capsule(path, from.x, from.y, r0 * from.scale * flat, to.x, to.y, r1 * to.scale * flat);
    }
    context.fillStyle = color;
    context.fill(path);
  }

  // A ring on the ground under every foot that is down.
  drawContacts(context, camera, color) {
    const { body } = this.motion;
    context.strokeStyle = color;
    context.lineWidth = 2;
    for (const contact of this.contactsAt(this.clock)) {
      if (!contact.joints.length) continue;
      const middle = [0, 2].map((axis) => contact.joints.reduce((sum, j) => sum + this.points[3 * j + axis], 0) / contact.joints.length);
      const ring = [];
      for (let k = 0; k <= 32; ++k) {
        const angle = (k / 32) * 2 * Math.PI;
        ring.push(middle[0] + 0.09 * body.size * Math.cos(angle), body.ground, middle[1] + 0.09 * body.size * Math.sin(angle));
      }
      polyline(context, camera, ring);
    }
  }

  // The way of the root over the ground.
  drawPath(context, camera, color) {
    if (this.moved) return;
    const { loop, ground, root, duration } = this.motion.body;
    const inside = (time) => (loop ? time : Math.min(Math.max(time, 0), duration));
    const [first, last] = [inside(this.clock - Body.WAY), inside(this.clock + Body.WAY)];
    const path = [];
    // At whole steps, or the line would tremble.
    for (let k = Math.ceil(first / Body.STEP); k * Body.STEP <= last; ++k) {
      const [x, , z] = this.motion.pointAt(k * Body.STEP, root);
      path.push(x, ground, z);
    }
    context.strokeStyle = color;
    context.lineWidth = 1.5;
    polyline(context, camera, path);
  }

  // The last moments of chosen joints.
  drawTrails(context, camera, color) {
    if (this.moved) return;
    context.strokeStyle = color;
    context.lineWidth = 2;
    const parts = 6;
    const points = 15;
    for (const joint of this.trails) {
      for (let part = 0; part < parts; ++part) {
        const line = [];
        for (let k = 0; k <= points; ++k) {
          const ago = Body.TRAIL * (1 - (part + k / points) / parts);
          line.push(...this.motion.pointAt(this.clock - ago, joint));
        }
        context.globalAlpha = (part + 1) / parts;
        polyline(context, camera, line);
      }
    }
    context.globalAlpha = 1;
  }

  // colors: shades by side, and "lit" for feet that are down.
  draw(context, colors) {
    const { seen, limbs, order, lit } = this;
    const { sides } = this.motion.body;
    const depth = (i) => seen[limbs[i][0]].depth + seen[limbs[i][1]].depth;
    order.sort((a, b) => depth(b) - depth(a));
    context.lineWidth = 1;
    for (const i of order) {
      const [a, b, r0, r1, side, inset] = limbs[i];
      if (!seen[a].front || !seen[b].front) continue;
      const down = lit.has(a) || (lit.has(b) && !this.leads(b));
      const [from, to] = inset ? [between(seen[a], seen[b], inset), between(seen[b], seen[a], inset)] : [seen[a], seen[b]];
      this.drawLimb(context, from, r0, to, r1, down ? colors.lit : colors[side]);
    }
    const dot = 0.02 * this.motion.body.size;
    for (const i of this.loose) if (seen[i].front) this.drawLimb(context, seen[i], dot, seen[i], dot, colors[sides[i]]);
  }

  leads(point) {
    this.starts ??= new Set(this.limbs.map(([from]) => from));
    return this.starts.has(point);
  }

  drawLimb(context, a, r0, b, r1, colors) {
    const [from, to] = [Math.max(r0 * a.scale, 0.75), Math.max(r1 * b.scale, 0.75)];
    const radius = Math.max(from, to);
    context.beginPath();
    capsule(context, a.x, a.y, from, b.x, b.y, to);
    if (radius < Body.FINE) {
      context.fillStyle = colors.middle;
      context.fill();
      return;
    }
    const before = context.getTransform();
    this.lieAcross(context, a, b, radius);
    context.fillStyle = colors.across ??= acrossOf(context, colors);
    context.fill();
    context.setTransform(before);
    context.strokeStyle = colors.edge;
    context.stroke();
  }

  // Turns the axes so that y goes from -1 at the edge of a limb in the light to 1 at the other. Light comes from above and the left.
  lieAcross(context, a, b, radius) {
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    let [x, y] = length > 1e-3 ? [-(b.y - a.y) / length, (b.x - a.x) / length] : [0.5, 0.87];
    if (0.5 * x + 0.87 * y < 0) [x, y] = [-x, -y];
    context.transform(y * radius, -x * radius, x * radius, y * radius, (a.x + b.x) / 2, (a.y + b.y) / 2);
  }
}

function acrossOf(context, colors) {
  const across = context.createLinearGradient(0, -1, 0, 1);
  across.addColorStop(0, colors.middle);
  across.addColorStop(0.3, colors.light);
  across.addColorStop(0.55, colors.middle);
  across.addColorStop(1, colors.dark);
  return across;
}
