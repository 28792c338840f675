// The things of the board in space: bricks, bands on plateaus, towers, numbers. A cell is 1 wide, the middle is 0.

import {
  BoxGeometry, BufferGeometry, CylinderGeometry, DoubleSide, EdgesGeometry, ExtrudeGeometry, Float32BufferAttribute, Group, LineBasicMaterial,
  LineSegments, type Material, Mesh, MeshBasicMaterial, MeshStandardMaterial, PlaneGeometry, Shape, Sprite, SpriteMaterial,
} from 'three';
import { CELL, cornersAround, EDGE, middleOf, type Point } from './draw';
import { shield, textOn } from './paint';
import { COLOURS, INKS, LETTERS } from './seats';

export const RISE = 0.42; // the height of a level

const SHADES = ['#f1e6cf', '#ebd2a4', '#e0bc83', '#d1a568', '#bf8e52', '#9c6d3a', '#83592f', '#6b4725', '#55371d', '#402815'];
const INK = { low: '#2e2010', high: '#fff4e0' };
const DARK = 5; // from this level on the shade calls for the other ink

export const shadeOf = (level: number): string => SHADES[Math.min(level, 9)] ?? '#402815';

const flat = ({ x, y }: Point, size: number): Point => ({ x: (x - EDGE) / CELL - size / 2, y: (y - EDGE) / CELL - size / 2 });

/** Where the middle of a cell lies: x to the right, y towards the viewer. */
export const spot = (cell: string, size: number): Point => flat(middleOf(cell, size), size);

/** A brick whose top is at a level, with its edges drawn. */
export function brickOf(cells: readonly string[], level: number, size: number, material: Material): Group {
  const [outline = []] = cornersAround(cells, size, 3);
  const shape = new Shape();
  for (const [i, corner] of outline.entries()) {
    const { x, y } = flat(corner, size);
    if (i) shape.lineTo(x, -y);
    else shape.moveTo(x, -y);
  }
  const body = new ExtrudeGeometry(shape, { depth: RISE - 0.05, bevelThickness: 0.025, bevelSize: 0.02, bevelSegments: 2 });
  body.rotateX(-Math.PI / 2).translate(0, (level - 1) * RISE + 0.025, 0);
  const mesh = new Mesh(body, material);
  mesh.castShadow = mesh.receiveShadow = true;
  const edges = new LineSegments(new EdgesGeometry(body, 40), new LineBasicMaterial({ color: '#4b2f14' }));
  const group = new Group();
  return group.add(mesh, edges);
}

export const wood = (level: number): MeshStandardMaterial => new MeshStandardMaterial({ color: shadeOf(level), roughness: 0.75 });

/** A band along the edge of a group of cells, between two insets; several colours take turns. */
export function bandOf(cells: readonly string[], height: number, size: number, insets: [number, number], colours: string[]): Group {
  const pieces: number[][] = colours.map(() => []);
  for (const [outer, inner] of pairs(cornersAround(cells, size, insets[0]), cornersAround(cells, size, insets[1]))) {
    for (let i = 0; i < outer.length; i++) {
      const [a, b, c, d] = [outer[i], outer[(i + 1) % outer.length], inner[i], inner[(i + 1) % inner.length]];
      if (a && b && c && d) for (const [n, piece] of cut(a, b, c, d, size).entries()) pieces[n % colours.length]?.push(...piece(height));
    }
  }
  const group = new Group();
  for (const [n, colour] of colours.entries()) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(pieces[n] ?? [], 3));
    group.add(new Mesh(geometry, new MeshBasicMaterial({ color: colour, side: DoubleSide })));
  }
  return group;
}

const pairs = <T>(one: T[], other: T[]): [T, T][] => one.flatMap((item, i) => (other[i] ? [[item, other[i]]] : []));

/** A side of a band, cut into pieces of about a quarter cell, each as two triangles. */
function cut(a: Point, b: Point, c: Point, d: Point, size: number): ((height: number) => number[])[] {
  const count = Math.max(1, Math.round(Math.hypot(b.x - a.x, b.y - a.y) / 25));
  const between = (p: Point, q: Point, t: number): Point => flat({ x: p.x + (q.x - p.x) * t, y: p.y + (q.y - p.y) * t }, size);
  return Array.from({ length: count }, (_, i) => {
    const [p, q] = [between(a, b, i / count), between(a, b, (i + 1) / count)];
    const [r, s] = [between(c, d, i / count), between(c, d, (i + 1) / count)];
    return (height) => [p, q, r, q, s, r].flatMap(({ x, y }) => [x, height, y]);
  });
}

/** A text on a horizontal plane; `rotation.y` turns it towards the viewer. */
export function label(text: string, ink: string, width: number): Mesh {
  const plate = new PlaneGeometry(width, width);
  plate.rotateX(-Math.PI / 2);
  return new Mesh(plate, new MeshBasicMaterial({ map: textOn(text, ink), transparent: true, depthWrite: false }));
}

export const numberOf = (level: number): Mesh => label(String(level), level >= DARK ? INK.high : INK.low, 0.6);

/** A pawn with its foot at 0: a tower with battlements and its letter on a shield above. */
export function towerOf(seat: number, preview = false): Group {
  const colour = COLOURS[seat] ?? COLOURS[0];
  const stone = new MeshStandardMaterial({ color: colour, roughness: 0.5, transparent: preview, opacity: preview ? 0.55 : 1 });
  const group = new Group();
  const part = (geometry: BufferGeometry, x: number, y: number, z: number): void => {
    const mesh = new Mesh(geometry, stone);
    mesh.position.set(x, y, z);
    mesh.castShadow = !preview;
    group.add(mesh);
  };
  part(new CylinderGeometry(0.19, 0.29, 0.55, 24), 0, 0.275, 0);
  part(new CylinderGeometry(0.27, 0.24, 0.16, 24), 0, 0.63, 0);
  for (let i = 0; i < 6; i++) {
    const turn = (i * Math.PI) / 3;
    part(new BoxGeometry(0.11, 0.12, 0.11), Math.cos(turn) * 0.2, 0.76, Math.sin(turn) * 0.2);
  }
  const sign = new Sprite(new SpriteMaterial({ map: shield(LETTERS[seat] ?? '', colour, INKS[seat] ?? '#fff'), transparent: true, opacity: preview ? 0.7 : 1 }));
  sign.scale.setScalar(0.42);
  sign.position.y = 1.08;
  return group.add(sign);
}
