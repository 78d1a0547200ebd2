// A body: limbs that taper, the nearer over the farther, its shadow on the ground and the trails behind it.

class Body {
  static TRAIL = 1.5; // seconds
  static FINE = 3; // pixels; thinner limbs are drawn plain
  static WAY = 15; // seconds of the way over the ground, before and after

  constructor(motion, index, trails) {
    const { body } = motion;
    Object.assign(this, { motion, index, trails, limbs: body.limbs });
    this.seen = Array.from({ length: body.points }, () => ({ x: 0, y: 0, depth: 0, scale: 0, front: false }));
    this.order = body.limbs.map((_, i) => i);
    this.drawn = new Set(body.limbs.flatMap(([from, to]) => [from, to]));
    this.loose = this.seen.map((_, i) => i).filter((i) => !this.drawn.has(i) && !body.anchors.includes(i));
    this.extent = this.extentOf();
  }

  // The middle and the width of the box that the middle of the body stays in.
  extentOf() {
    const { body, centres } = this.motion;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < 3 * body.samples; ++i) {
      low[i % 3] = Math.min(low[i % 3], centres[i]);
      high[i % 3] = Math.max(high[i % 3], centres[i]);
    }
    return { middle: low.map((value, k) => (value + high[k]) / 2), width: Math.max(...high.map((value, k) => value - low[k])) };
  }

  // Contacts that hold at a time of the clip.
  contactsAt(clock) {
    const { time } = this.motion.local(clock);
    return this.motion.body.contacts.filter((contact) => contact.spans.some(([from, to]) => from <= time && time <= to));
  }

  pose(clock) {
    this.clock = clock;
    this.points = this.motion.pose(clock);
    this.lit = new Set(this.contactsAt(clock).flatMap((contact) => contact.joints));
  }

  project(camera) {
    const { points, seen } = this;
    for (let i = 0; i < seen.length; ++i) seen[i].front = camera.project(points[3 * i], points[3 * i + 1], points[3 * i + 2], seen[i]);
  }

  drawShadow(context, camera, color) {
    const { points, limbs, motion } = this;
    const path = new Path2D();
    const [from, to] = [{}, {}];
    const flat = Math.max(0.3, Math.abs(Math.sin(camera.elevation)));
    for (const [a, b, r0, r1] of limbs) {
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

  // The way of the middle of the body over the ground.
  drawPath(context, camera, color) {
    const { body, centres } = this.motion;
    const { time, round } = this.motion.local(this.clock);
    const first = Math.max(0, Math.floor((time - Body.WAY) / body.sampleTime));
    const last = Math.min(body.samples - 1, Math.ceil((time + Body.WAY) / body.sampleTime));
    const every = Math.max(1, Math.ceil(0.05 / body.sampleTime));
    const path = [];
    // Whole steps from the first sample, or the line would tremble.
    for (let i = Math.ceil(first / every) * every; i <= last; i += every) path.push(centres[3 * i], body.ground, centres[3 * i + 2]);
    if (round !== 0) this.motion.carry(path, round);
    context.strokeStyle = color;
    context.lineWidth = 1.5;
    polyline(context, camera, path);
  }

  // The last moments of chosen joints.
  drawTrails(context, camera, color) {
    const { motion, trails } = this;
    const { body } = motion;
    const local = motion.local(this.clock);
    const last = motion.between(local.time).first;
    const first = Math.max(0, last - Math.round(Body.TRAIL / body.sampleTime));
    context.strokeStyle = color;
    context.lineWidth = 2;
    for (const joint of trails) {
      const parts = 6;
      for (let part = 0; part < parts; ++part) {
        const line = [];
        const from = Math.round(first + ((last - first) * part) / parts);
        const to = Math.round(first + ((last - first) * (part + 1)) / parts);
        for (let i = from; i <= to; ++i) line.push(motion.point(i, joint, 0), motion.point(i, joint, 1), motion.point(i, joint, 2));
        if (local.round !== 0) motion.carry(line, local.round);
        if (part === parts - 1) line.push(...this.points.slice(3 * joint, 3 * joint + 3));
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
      const [a, b, r0, r1] = limbs[i];
      if (!seen[a].front || !seen[b].front) continue;
      const down = lit.has(a) || (lit.has(b) && !this.leads(b));
      this.drawLimb(context, seen[a], r0, seen[b], r1, down ? colors.lit : colors[sides[b]]);
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
    const plain = radius < Body.FINE;
    context.beginPath();
    capsule(context, a.x, a.y, from, b.x, b.y, to);
    context.fillStyle = plain ? colors.middle : this.across(context, a, b, radius, colors);
    context.fill();
    if (plain) return;
    context.strokeStyle = colors.edge;
    context.stroke();
  }

  // Shades from edge to edge of a limb; light comes from above and the left.
  across(context, a, b, radius, colors) {
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    let [x, y] = length > 1e-3 ? [-(b.y - a.y) / length, (b.x - a.x) / length] : [0.5, 0.87];
    if (0.5 * x + 0.87 * y < 0) [x, y] = [-x, -y];
    const [cx, cy] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
    const across = context.createLinearGradient(cx - x * radius, cy - y * radius, cx + x * radius, cy + y * radius);
    across.addColorStop(0, colors.middle);
    across.addColorStop(0.3, colors.light);
    across.addColorStop(0.55, colors.middle);
    across.addColorStop(1, colors.dark);
    return across;
  }
}
