import { onContentUpdated, type Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineComponent, h, onBeforeUnmount, onMounted, ref } from 'vue'
import { addRunButtons } from '../../run/run-buttons.ts'
import './style.css'

/** The playground is a program of its own: Vue only gives it an element. */
const Playground = defineComponent(() => {
  const element = ref<HTMLElement>()
  let stop = () => {}
  onMounted(async () => {
    const { showPlayground } = await import('../../playground/playground.tsx')
    if (element.value !== undefined) stop = showPlayground(element.value, import.meta.env.BASE_URL)
  })
  onBeforeUnmount(() => stop())
  return () => h('div', { ref: element })
})

/** VitePress decodes each fragment, and would throw. */
function dropBrokenFragment(): void {
  try {
    decodeURIComponent(location.hash)
  } catch {
    history.replaceState(history.state, '', '#play=')
  }
}

const theme: Theme = {
  extends: DefaultTheme,
  setup: () => onContentUpdated(() => addRunButtons(document)),
  enhanceApp: ({ app }) => {
    if (!import.meta.env.SSR) dropBrokenFragment()
    app.component('Playground', Playground)
  },
}
export default theme
