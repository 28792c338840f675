// The board in space: a scene that is drawn when something has changed; dragging turns and tilts it.

import {
  AmbientLight, BoxGeometry, DirectionalLight, DoubleSide, Group, type Material, Mesh, MeshBasicMaterial, MeshStandardMaterial, type Object3D,
  PCFSoftShadowMap, PerspectiveCamera, Raycaster, RingGeometry, Scene, SphereGeometry, Vector2, Vector3, WebGLRenderer,
} from 'three';
import type { Aim, Hand } from './hand';
import { type Move, targetOf } from './moves';
import { COLOURS } from './seats';
import { bandOf, brickOf, label, numberOf, RISE, shadeOf, spot, towerOf, wood } from './solids';
import { allCells, cellName, levelAt, pawnAt, type Position, type Turn } from './view';

export interface Picture {
  position: Position;
  turn: Turn | null;
  fresh: boolean; // animate the turn
  hand: Hand;
  seat: number;
  aim: Aim | null;
  at: string | null; // the cell pointed at
  lit: Set<string>;
  dim: Set<string> | null;
  hint: Move | null;
}

export interface Space {
  show: (picture: Picture) => void;
  orbit: (across: number, down: number) => void; // in pixels
  face: (quarters: number) => void; // which side is in front
  zoom: (by: number) => void; // above 1: nearer
  cellAt: (x: number, y: number) => string | null; // of the canvas, each from 0 to 1
  resize: (width: number) => void;
  close: () => void;
}

const GOLD = '#f2c14e';
const STEP = 260; // milliseconds a pawn takes from cell to cell
const TURN = 0.32; // around the board, at first
const ZOOM = { least: 0.7, most: 2.5 };
const TILT = { low: 0.02, high: 1.3, start: 0.78 }; // from straight above, in radians

/** Throws where there is no WebGL. */
export function openSpace(canvas: HTMLCanvasElement, size: number): Space {
  const context = canvas.getContext('webgl2', { antialias: true, alpha: true });
  if (!context) throw new Error('no WebGL');
  const renderer = new WebGLRenderer({ canvas, context });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFSoftShadowMap;
  const scene = new Scene();
  const camera = new PerspectiveCamera(30, 1, 1, 60);
  const still = boardOf(size);
  let terrain = new Group(); // rebuilt with every position
  let marks = new Group(); // rebuilt with every gesture
  scene.add(lights(), still, terrain, marks);

  const view = { turn: TURN, tilt: TILT.start, zoom: 1 };
  let frame = 0;
  let shown: Picture | null = null;
  let walked: Turn | null = null; // the last turn that was animated; the turn on show at first is not
  let walking: { tower: Object3D; places: Vector3[]; start: number } | null = null;

  function look(): void {
    const far = (size * 2.9) / view.zoom;
    const [out, up] = [Math.sin(view.tilt) * far, Math.cos(view.tilt) * far];
    camera.position.set(Math.sin(view.turn) * out, up, Math.cos(view.turn) * out);
    camera.lookAt(0, 0.15, 0);
    ask();
  }

  function draw(now: number): void {
    frame = 0;
    scene.traverse((thing) => {
      if (thing.userData['facing']) thing.rotation.y = view.turn;
    });
    if (walking && !walk(walking, now)) walking = null;
    renderer.render(scene, camera);
    if (walking) ask();
  }
  const ask = (): void => {
    frame ||= requestAnimationFrame(draw);
  };
  const replace = (old: Group, now: Group): Group => {
    scene.remove(old);
    release(old);
    scene.add(now);
    return now;
  };

  look();
  return {
    show(picture) {
      const { position, turn, fresh } = picture;
      if (position !== shown?.position || turn !== shown.turn) {
        terrain = replace(terrain, terrainOf(picture));
        walking = null;
      }
      const tower = terrain.getObjectByName('arrived');
      if (fresh && shown && turn !== walked && turn?.kind === 'move' && tower && !isCalm()) {
        walking = { tower, places: turn.path.map((cell) => standing(cell, position)), start: performance.now() };
      }
      if (fresh || !shown) walked = turn;
      marks = replace(marks, marksOf(picture));
      shown = picture;
      ask();
    },
    orbit(across, down) {
      view.turn -= across * 0.008;
      view.tilt = Math.min(TILT.high, Math.max(TILT.low, view.tilt - down * 0.006));
      look();
    },
    face(quarters) {
      view.turn = TURN - (quarters * Math.PI) / 2;
      look();
    },
    zoom(by) {
      view.zoom = Math.min(ZOOM.most, Math.max(ZOOM.least, view.zoom * by));
      look();
    },
    cellAt(x, y) {
      scene.updateMatrixWorld(); // it may not have been drawn yet
      camera.updateMatrixWorld();
      const ray = new Raycaster();
      ray.setFromCamera(new Vector2(2 * x - 1, 1 - 2 * y), camera);
      const [hit] = ray.intersectObjects([still, terrain]).filter(({ object }) => isSolid(object));
      if (!hit) return null;
      const cell = cellOfPawn(hit.object);
      if (cell) return cell;
      const inner = hit.point.clone().addScaledVector(hit.face?.normal ?? new Vector3(), -0.05); // from a wall into its brick
      const [column, row] = [Math.floor(inner.x + size / 2), Math.floor(size / 2 - inner.z)];
      return Math.min(column, row) < 0 || Math.max(column, row) >= size ? null : cellName({ column, row });
    },
    resize(width) {
      renderer.setPixelRatio(Math.min(2, devicePixelRatio));
      renderer.setSize(width, width, false);
      ask();
    },
    close() {
      cancelAnimationFrame(frame);
      release(scene);
      renderer.dispose();
    },
  };
}

const isCalm = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** A pawn on its way; false once it is there. */
function walk({ tower, places, start }: { tower: Object3D; places: Vector3[]; start: number }, now: number): boolean {
  const done = Math.max(0, now - start) / STEP;
  const [from, to] = [places[Math.floor(done)], places[Math.floor(done) + 1]];
  const end = places.at(-1);
  if (!from || !to) {
    if (end) tower.position.copy(end);
    return false;
  }
  const part = done % 1;
  const climbed = to.y > from.y ? Math.sin((Math.PI * part) / 2) : part * part; // up early, down late: past the edge
  tower.position.lerpVectors(from, to, part);
  tower.position.y = from.y + (to.y - from.y) * climbed + 0.25 * Math.sin(Math.PI * part);
  return true;
}

function lights(): Group {
  const sun = new DirectionalLight('#fff3dc', 2.1);
  sun.position.set(-5, 11, 4);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  Object.assign(sun.shadow.camera, { left: -7, right: 7, top: 7, bottom: -7, far: 30 });
  sun.shadow.bias = -0.002;
  return new Group().add(new AmbientLight('#ffffff', 1.35), sun);
}

/** What never changes: the frame, the bare cells, the coordinates. */
function boardOf(size: number): Group {
  const board = new Group();
  const box = (width: number, height: number, y: number, colour: string): Mesh => {
    const mesh = new Mesh(new BoxGeometry(width, height, width), new MeshStandardMaterial({ color: colour, roughness: 0.8 }));
    mesh.position.y = y - height / 2;
    mesh.receiveShadow = true;
    return mesh;
  };
  const bed = box(size + 0.08, 0.05, -0.015, '#8d6436');
  bed.userData['solid'] = true; // no gaps: between two cells, the pointer is still on one of them
  board.add(box(size + 0.9, 0.4, -0.03, '#c99a5f'), bed);
  const tile = new BoxGeometry(0.95, 0.04, 0.95);
  const paper = new MeshStandardMaterial({ color: shadeOf(0), roughness: 0.9 });
  for (const cell of allCells(size)) {
    const { x, y } = spot(cell, size);
    const mesh = new Mesh(tile, paper);
    mesh.position.set(x, -0.02, y);
    mesh.receiveShadow = true;
    mesh.userData['solid'] = true;
    board.add(mesh);
  }
  for (let i = 0; i < size; i++) {
    const at = i - size / 2 + 0.5;
    const [letter, number] = [label(String.fromCharCode(65 + i), '#4d3514', 0.36), label(String(i + 1), '#4d3514', 0.36)];
    letter.position.set(at, -0.02, size / 2 + 0.24);
    number.position.set(-size / 2 - 0.24, -0.02, -at);
    for (const sign of [letter, number]) sign.userData['facing'] = true;
    board.add(letter, number);
  }
  return board;
}

const heightOf = (cell: string, position: Position): number => levelAt(position, cell) * RISE;

function standing(cell: string, position: Position): Vector3 {
  const { x, y } = spot(cell, position.size);
  return new Vector3(x, heightOf(cell, position) + 0.01, y);
}

function ring(cell: string, position: Position, colour: string, radius: number, thick: number): Mesh {
  const disc = new RingGeometry(radius - thick, radius, 32);
  disc.rotateX(-Math.PI / 2);
  const mesh = new Mesh(disc, new MeshBasicMaterial({ color: colour, side: DoubleSide }));
  mesh.position.copy(standing(cell, position)).y += 0.012;
  return mesh;
}

/** The position and the last turn: bricks, numbers, owners, pawns. */
function terrainOf({ position, turn }: Picture): Group {
  const { size } = position;
  const group = new Group();
  for (const brick of position.bricks) {
    const solid = brickOf(brick.cells, brick.level, size, wood(brick.level));
    const [body] = solid.children;
    if (body) body.userData['solid'] = true; // not its edges
    group.add(solid);
  }
  for (const cell of allCells(size)) {
    const level = levelAt(position, cell);
    if (level && !pawnAt(position, cell)) group.add(facing(numberOf(level), standing(cell, position)));
  }
  for (const { cells, level, owners } of position.plateaus.filter(({ owners }) => owners.length)) {
    group.add(bandOf(cells, level * RISE + 0.008, size, [3, 17], ['#fff8ea']));
    group.add(bandOf(cells, level * RISE + 0.014, size, [5, 14], owners.map((owner) => COLOURS[owner] ?? '#000')));
  }
  const arrived = turn?.kind === 'move' || turn?.kind === 'enter' ? turn.cells.at(-1) : undefined;
  for (const pawn of position.pawns) {
    const tower = towerOf(pawn.seat);
    tower.position.copy(standing(pawn.cell, position));
    tower.userData['cell'] = pawn.cell;
    tower.traverse((part) => (part.userData['solid'] = true));
    group.add(tower);
    if (pawn.cell !== arrived) continue;
    tower.name = 'arrived';
    group.add(ring(pawn.cell, position, '#ffffff', 0.42, 0.05));
  }
  if (turn?.kind === 'brick') group.add(bandOf(turn.cells, turn.level * RISE + 0.02, size, [12, 16], ['#ffffff', '#6d4a22']));
  if (turn?.kind === 'move') for (const cell of turn.path.slice(0, -1)) group.add(bead(standing(cell, position)));
  return group;
}

/** What the player is about to do: cells within reach, the hint, the preview. */
function marksOf({ position, hand, seat, aim, at, lit, dim, hint }: Picture): Group {
  const { size } = position;
  const group = new Group();
  if (dim) for (const cell of allCells(size)) if (!dim.has(cell)) group.add(lifted(ring(cell, position, '#7a2419', 0.44, 0.05)));
  if (hand?.kind === 'pawn') group.add(lifted(ring(hand.from, position, GOLD, 0.46, 0.1)));
  for (const cell of lit) group.add(ring(cell, position, '#2d2010', 0.4, 0.12), lifted(ring(cell, position, GOLD, 0.38, 0.08)));
  for (const cell of hint ? targetOf(hint) : []) {
    group.add(bandOf([cell], heightOf(cell, position) + 0.028, size, [4, 12], [GOLD, '#2d2010']));
  }
  for (const part of previewOf(aim, hand, seat, at, position)) group.add(part);
  return group;
}

/** What is in hand, where it would go; if nothing can be played there, a frame around the cell pointed at. */
function previewOf(aim: Aim | null, hand: Hand, seat: number, at: string | null, position: Position): Object3D[] {
  if (!aim || !hand) return at ? [bandOf([at], heightOf(at, position) + 0.03, position.size, [4, 10], ['#2d5d4f'])] : [];
  const colour = aim.fault ? '#d43c2b' : '#2fae6b';
  const [first = ''] = aim.cells;
  if (hand.kind !== 'brick') {
    const frame = bandOf([first], heightOf(first, position) + 0.03, position.size, [4, 11], aim.fault ? [colour, '#fff8ea'] : [colour]);
    if (aim.fault) return [frame];
    const tower = towerOf(seat, true);
    tower.position.copy(standing(first, position));
    return [frame, tower];
  }
  const level = Math.max(...aim.cells.map((cell) => levelAt(position, cell))) + 1;
  const glass = new MeshStandardMaterial({ color: colour, transparent: true, opacity: 0.62 });
  const signs = aim.cells.map((cell) => {
    const { x, y } = spot(cell, position.size);
    const sign = facing(aim.fault ? label('✕', '#fff8ea', 0.6) : numberOf(level), new Vector3(x, level * RISE + 0.02, y));
    sign.renderOrder = 2; // after the glass
    return sign;
  });
  const edge = bandOf(aim.cells, level * RISE + 0.015, position.size, [3, 9], aim.fault ? [colour, '#fff8ea'] : [colour]);
  return [brickOf(aim.cells, level, position.size, glass), edge, ...signs];
}

function facing(sign: Mesh, where: Vector3): Mesh {
  sign.position.copy(where).y += 0.02;
  sign.userData['facing'] = true;
  return sign;
}

function lifted<T extends Object3D>(thing: T): T {
  thing.position.y += 0.008;
  return thing;
}

function bead(where: Vector3): Mesh {
  const mesh = new Mesh(new SphereGeometry(0.07, 12, 8), new MeshBasicMaterial({ color: '#ffffff' }));
  mesh.position.copy(where).y += 0.07;
  return mesh;
}

const isSolid = (thing: Object3D): boolean => thing.userData['solid'] === true;

const cellOfPawn = (thing: Object3D): string | null => (thing.userData['cell'] ?? thing.parent?.userData['cell'] ?? null) as string | null;

/** Free the memory of everything below; textures are kept for the next picture. */
function release(root: Object3D): void {
  root.traverse((thing) => {
    const { geometry, material } = thing as Mesh;
    geometry?.dispose();
    for (const one of [material].flat() as (Material | undefined)[]) one?.dispose();
  });
}
