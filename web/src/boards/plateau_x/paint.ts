// Numbers and letters as textures for the board in space, each drawn once.

import { CanvasTexture, SRGBColorSpace } from 'three';

const SIDE = 128;
const known = new Map<string, CanvasTexture>();

function texture(name: string, draw: (pen: CanvasRenderingContext2D) => void): CanvasTexture {
  const found = known.get(name);
  if (found) return found;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIDE;
  const pen = canvas.getContext('2d');
  if (pen) draw(pen);
  const made = new CanvasTexture(canvas);
  made.colorSpace = SRGBColorSpace;
  made.anisotropy = 4;
  known.set(name, made);
  return made;
}

function write(pen: CanvasRenderingContext2D, text: string, ink: string, font: string): void {
  pen.font = font;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillStyle = ink;
  pen.fillText(text, SIDE / 2, SIDE / 2 + 5);
}

/** A text on a transparent background. */
export const textOn = (text: string, ink: string): CanvasTexture =>
  texture(`${text} ${ink}`, (pen) => write(pen, text, ink, '700 92px Palatino, Georgia, serif'));

/** A letter on a round shield. */
export const shield = (letter: string, colour: string, ink: string): CanvasTexture =>
  texture(`${letter} ${colour}`, (pen) => {
    pen.beginPath();
    pen.arc(SIDE / 2, SIDE / 2, SIDE / 2 - 8, 0, 2 * Math.PI);
    pen.fillStyle = colour;
    pen.fill();
    pen.lineWidth = 9;
    pen.strokeStyle = '#fff8ea';
    pen.stroke();
    write(pen, letter, ink, '800 80px system-ui, Arial, sans-serif');
  });
