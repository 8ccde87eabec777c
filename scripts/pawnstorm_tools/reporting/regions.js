// Tables that are wider or higher than their place: where there is more of one, its frame shows it.

/** Mark a frame with the sides on which its table goes on. */
function markMore(frame) {
  const region = frame.querySelector('.scroll');
  const right = region.scrollWidth - region.clientWidth - region.scrollLeft;
  const below = region.scrollHeight - region.clientHeight - region.scrollTop;
  frame.classList.toggle('more-left', region.scrollLeft > 1);
  frame.classList.toggle('more-right', right > 1);
  frame.classList.toggle('more-below', below > 1);
}

function watchRegions() {
  const changed = new ResizeObserver(entries => {
    for (const frame of new Set(entries.map(({target}) => target.closest('.frame')))) markMore(frame);
  });
  for (const frame of document.querySelectorAll('.frame')) {
    const region = frame.querySelector('.scroll');
    region.addEventListener('scroll', () => markMore(frame), {passive: true});
    changed.observe(region);
    changed.observe(region.firstElementChild);
  }
}
