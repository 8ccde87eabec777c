// Adds what the theme lacks for keyboards and screen readers.

for (const caption of document.querySelectorAll(".caption[role=heading]")) caption.setAttribute("aria-level", "2");

for (const [drawer, name] of [["sidebar-drawer", "All pages"], ["toc-drawer", "On this page"]])
  document.querySelector(`.${drawer}`)?.setAttribute("aria-label", name);

for (const cell of document.querySelectorAll("th"))
  if (!cell.textContent.trim() && !cell.querySelector("img")) cell.replaceWith(document.createElement("td"));

// Keys scroll a block only if it can have the focus.
const focusable = () => {
  for (const place of document.querySelectorAll("pre, .table-wrapper"))
    if (place.scrollWidth > place.clientWidth) place.tabIndex = 0;
    else place.removeAttribute("tabindex");
};
addEventListener("resize", focusable);
focusable();
