// Where the bodies stand: one view each, side by side, or all in one as ghosts of the first.

class Stage {
  static GHOST = 0.45; // how opaque a ghost is

  constructor(canvas, bodies, camera, options) {
    Object.assign(this, { canvas, bodies, camera, options });
    this.following = options.follow;
    this.trailing = true;
    this.ghosts = document.createElement("canvas");
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
    const context = fitted(this.canvas);
    for (const body of this.bodies) if (!body.motion.empty) body.pose(now);
    const views = this.views;
    for (const view of views) {
      context.save();
      const frame = new Path2D();
      frame.rect(view.x, view.y, view.width, view.height);
      context.clip(frame);
      this.drawView(context, view, now, theme);
      context.restore();
    }
    context.strokeStyle = theme.grid;
    context.lineWidth = 1;
    for (const view of views) if (view.x > 0) context.strokeRect(Math.round(view.x) - 0.5, view.y - 1, 0, view.height + 2);
    for (const view of views) if (view.y > 0) context.strokeRect(view.x - 1, Math.round(view.y) - 0.5, view.width + 2, 0);
  }

  drawView(context, view, now, theme) {
    const { camera, options } = this;
    const [first, ...others] = view.bodies.filter((body) => !body.motion.empty);
    if (first) {
      this.aim(first, view, now);
      this.grounds[first.index].draw(context, camera, theme.grid);
      for (const body of [first, ...others]) body.project(camera);
      if (this.trailing) for (const body of [first, ...others]) body.drawPath(context, camera, theme.faint);
      for (const body of [first, ...others]) body.drawShadow(context, camera, theme.shadow);
      for (const body of [first, ...others]) body.drawContacts(context, camera, theme.lit);
      if (others.length) this.drawGhosts(context, others, theme);
      first.draw(context, theme.bodySides);
      if (this.trailing) for (const body of [first, ...others]) body.drawTrails(context, camera, theme.lit);
    }
    context.font = "600 12px system-ui, sans-serif";
    context.textBaseline = "top";
    context.textAlign = "left";
    view.bodies.forEach((body, k) => {
      const chip = options.layout === "ghost" && k > 0 ? theme.bodies[body.index].middle : theme.text;
      context.fillStyle = chip;
      if (this.bodies.length > 1) context.fillText(fittedText(context, body.motion.body.name, view.width - 24), view.x + 12, view.y + 10 + 17 * k);
    });
    if (!first) context.fillText("no frames", view.x + 12, view.y + 30);
  }

  // Ghosts are drawn whole before they fade, or limbs would shine through each other.
  drawGhosts(context, ghosts, theme) {
    const layer = fitted(this.ghosts, this.canvas);
    for (const ghost of ghosts) {
      const one = theme.bodies[ghost.index];
      ghost.draw(layer, { left: one, right: one, middle: one, lit: one });
    }
    context.globalAlpha = Stage.GHOST;
    context.drawImage(this.ghosts, 0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    context.globalAlpha = 1;
  }

  aim(body, view, now) {
    const size = this.sizes[body.index];
    if (this.following) return this.camera.aim(body.motion.place(now), 1.35 * size, view);
    const { middle, width } = body.extent;
    return this.camera.aim(middle, width + 1.2 * size, view);
  }
}
