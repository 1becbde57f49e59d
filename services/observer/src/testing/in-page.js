// Functions that run in the page under test. Each stands alone: only its own text gets there.

/** How many pixels the page is wider than its window. @returns {number} */
export function overflow() {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth
}

/** Red, green and blue of a text. @returns {number[]} */
export function colourOf(it) {
  return (getComputedStyle(it).color.match(/\d+/g) ?? []).map(Number)
}

/** @returns {string} */
export function groundOf(it) {
  return getComputedStyle(it).backgroundColor
}

/** What has the focus. @returns {string} */
export function focused() {
  return document.activeElement?.id || document.activeElement?.className || ''
}

/** Name, whether it is open, and level of the row of a tree that is active. @returns {string} */
export function activeRow(tree) {
  const row = document.getElementById(tree.getAttribute('aria-activedescendant') ?? '')
  return [row?.querySelector('.name')?.textContent, row?.getAttribute('aria-expanded'), row?.ariaLevel].join(' ')
}

/** Begins to add up how far things have moved that nobody moved. */
export function watchShifts() {
  globalThis.shift = 0
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) globalThis.shift += value
  }).observe({ type: 'layout-shift', buffered: false })
}

/** @returns {number} */
export function shifted() {
  return globalThis.shift
}

/** @returns {void} */
export function toTheEnd(box) {
  box.scrollTo(0, box.scrollHeight)
}

/** Texts whose contrast with what is behind them is less than WCAG's 4.5. @returns {string[]} */
export function faint() {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  const linear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)
  const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  const ground = (from) => {
    for (let at = from; at !== null; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor)
      if (colour[3] === 255) return colour
    }
    return [255, 255, 255]
  }
  const found = []
  for (const it of document.querySelectorAll('body *')) {
    const own = [...it.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '')
    if (!own || it.closest('.unseen, .skip, option') !== null || it.getClientRects().length === 0) continue
    const [a, b] = [luminance(rgb(getComputedStyle(it).color)), luminance(ground(it))]
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    if (contrast < 4.5) found.push(`${it.tagName}.${it.className}: ${contrast.toFixed(2)}`)
  }
  return found
}
