// Where the bodies stand: one view each, side by side, or all in one as ghosts of the first.

class Stage {
  // Of the three canvases, the ghosts' is see-through as a whole, or limbs would shine through each other.
  constructor(canvases, bodies, camera, options) {
    Object.assign(this, { canvases, bodies, camera, options });
    this.canvas = canvases.bodies;
    this.following = options.follow;
    this.trailing = true;
    this.together = false; // ghosts are shown where they are
    const sizes = bodies.map((body) => body.motion.body.size);
    const alike = Math.max(...sizes) < 3 * Math.min(...sizes);
    this.sizes = sizes.map((size) => (alike ? Math.max(...sizes) : size));
    this.grounds = bodies.map((body, k) => new Ground(this.sizes[k], body.motion.body.ground));
  }

  // {x, y, width, height, bodies} of each part of the canvas.
  get views() {
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (this.options.layout === "ghost") return [{ x: 0, y: 0, width, height, bodies: this.bodies }];
    const count = this.bodies.length;
    const room = (columns) => Math.min(width / columns, height / Math.ceil(count / columns));
    let columns = 1;
    for (let c = 2; c <= count; ++c) if (room(c) > room(columns)) columns = c;
    const rows = Math.ceil(count / columns);
    return this.bodies.map((body, k) => ({
      x: ((k % columns) * width) / columns,
      y: (Math.floor(k / columns) * height) / rows,
      width: width / columns,
      height: height / rows,
      bodies: [body],
    }));
  }

  draw(now, theme) {
    const layers = Object.fromEntries(Object.entries(this.canvases).map(([name, canvas]) => [name, fitted(canvas)]));
    this.pose(now);
    const views = this.views;
    for (const view of views) {
      for (const layer of Object.values(layers)) {
        const frame = new Path2D();
        frame.rect(view.x, view.y, view.width, view.height);
        layer.save();
        layer.clip(frame);
      }
      this.drawView(layers, view, now, theme);
      for (const layer of Object.values(layers)) layer.restore();
    }
    const context = layers.bodies;
    context.strokeStyle = theme.grid;
    context.lineWidth = 1;
    for (const view of views) if (view.x > 0) context.strokeRect(Math.round(view.x) - 0.5, view.y - 1, 0, view.height + 2);
    for (const view of views) if (view.y > 0) context.strokeRect(view.x - 1, Math.round(view.y) - 0.5, view.width + 2, 0);
  }

  pose(now) {
    const [first] = this.bodies;
    for (const body of this.bodies) {
      if (body.motion.empty) continue;
      const moved = this.together && body !== first && !first.motion.empty;
      const [here, there] = moved ? [body.motion.place(now), first.motion.place(now)] : [[0, 0, 0], [0, 0, 0]];
      body.pose(now, [there[0] - here[0], there[2] - here[2]]);
    }
  }

  drawView(layers, view, now, theme) {
    const { camera } = this;
    const shown = view.bodies.filter((body) => !body.motion.empty);
    const [first, ...others] = shown;
    if (first) {
      this.aim(first, view, now);
      this.grounds[first.index].draw(layers.ground, camera, theme.grid);
      for (const body of shown) body.project(camera);
      if (this.trailing) for (const body of shown) body.drawPath(layers.ground, camera, theme.faint);
      for (const body of shown) body.drawShadow(layers.ground, camera, theme.shadow);
      for (const body of shown) body.drawContacts(layers.ground, camera, theme.lit);
      for (const body of others) body.draw(layers.ghosts, theme.ghosts[body.index]);
      first.draw(layers.bodies, theme.bodySides);
      if (this.trailing) for (const body of shown) body.drawTrails(layers.bodies, camera, theme.lit);
    }
    this.drawNames(layers.bodies, view, theme);
  }

  drawNames(context, view, theme) {
    context.font = "600 12px system-ui, sans-serif";
    context.textBaseline = "top";
    context.textAlign = "left";
    view.bodies.forEach((body, k) => {
      const { name } = body.motion.body;
      const text = [this.bodies.length > 1 ? name : "", body.motion.empty ? "no frames" : ""].filter(Boolean).join(": ");
      context.fillStyle = k > 0 ? theme.ghosts[body.index].middle.middle : theme.text;
      context.fillText(fittedText(context, text, view.width - 24), view.x + 12, view.y + 10 + 17 * k);
    });
  }

  aim(body, view, now) {
    const size = this.sizes[body.index];
    if (this.following) return this.camera.aim(body.motion.place(now), 1.35 * size, view);
    const { middle, width } = body.extent;
    return this.camera.aim(middle, width + 1.2 * size, view);
  }
}
