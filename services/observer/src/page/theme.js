// The choice of colours, applied before anything is shown; hence a script of its own and no module.
;(() => {
  const order = ['system', 'light', 'dark']
  const stored = () => {
    try {
      return localStorage.getItem('theme') ?? 'system'
    } catch {
      return 'system' // Storage may be forbidden; then the choice lasts as long as the page.
    }
  }
  let theme = order.includes(stored()) ? stored() : 'system'
  const apply = () => {
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
    const button = document.getElementById('theme')
    if (button !== null) button.textContent = `Theme: ${theme}`
  }
  apply()
  document.addEventListener('DOMContentLoaded', () => {
    apply()
    document.getElementById('theme')?.addEventListener('click', () => {
      theme = order[(order.indexOf(theme) + 1) % order.length]
      apply()
      try {
        localStorage.setItem('theme', theme)
      } catch {
        // See above.
      }
    })
  })
})()
