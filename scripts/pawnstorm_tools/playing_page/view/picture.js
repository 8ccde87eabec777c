// The board on the screen as a picture file.

const PAINT = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-linejoin', 'stroke-linecap', 'font-family', 'font-size', 'font-weight', 'text-anchor'];
const PICTURE_WIDTH = 1200;    // pixels of a PNG, at least

/** {svg, width, height}: the text of an SVG file with all colours written in, and its size. drawn: the <svg> of a DrawnBoard. */
function boardPicture(drawn) {
  const made = drawn.cloneNode(true);
  const parts = [drawn, ...drawn.querySelectorAll('*')];
  const copies = [made, ...made.querySelectorAll('*')];
  parts.forEach((part, index) => {
    const copy = copies[index];
    for (const name of ['class', 'style', 'data-at', 'data-move', 'data-drawing']) copy.removeAttribute(name);
    if (part.closest('defs, title')) return;    // a definition has the colours of its use
    const style = getComputedStyle(part);
    if (style.display === 'none') copy.remove();
    const above = part !== drawn && getComputedStyle(part.parentNode);
    for (const name of PAINT) {
      const value = style.getPropertyValue(name);
      if (above && above.getPropertyValue(name) === value) copy.removeAttribute(name);    // inherited
      else copy.setAttribute(name, value);
    }
    if (style.opacity !== '1') copy.setAttribute('opacity', style.opacity);    // never inherited
  });
  const {width, height} = drawn.viewBox.baseVal;
  for (const name of ['id', 'aria-hidden']) made.removeAttribute(name);
  for (const [name, value] of Object.entries({xmlns: SVG, width, height, role: 'img'})) made.setAttribute(name, value);
  return {svg: `${new XMLSerializer().serializeToString(made)}\n`, width, height};
}

/** The Blob of a PNG of what boardPicture() gives. */
async function pngOf({svg, width, height}) {
  const scale = Math.ceil(PICTURE_WIDTH / width);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), {width: width * scale, height: height * scale});
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise(resolve => { canvas.toBlob(resolve, 'image/png'); });
}
