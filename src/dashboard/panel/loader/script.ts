import { insertPanel } from './mount-panel.ts'

/* `/__admin/panel.js`: inserts the panel of the server that the script comes from. */
insertPanel(new URL(/* @vite-ignore */ '.', import.meta.url).href)
