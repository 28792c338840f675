// Whether a graphics card draws, or the processor instead.

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

export const isSoftware = (renderer: string): boolean => SOFTWARE.test(renderer);

export function isDrawnFast(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  const info = context?.getExtension('WEBGL_debug_renderer_info');
  const fast = !!context && !!info && !isSoftware(String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)));
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return fast;
}
