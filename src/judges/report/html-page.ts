import { reportStyle } from '../../generated/report-style.ts'
import { escapeMarkup } from './markup.ts'
import { headFacts, type ReportHead } from './report.ts'

interface Page {
  readonly title: string
  readonly failed: boolean
  /** What was not judged, such as `3 calls`; empty: nothing. */
  readonly unjudged: string
  readonly head: ReportHead | undefined
  /** HTML. */
  readonly main: string
}

/** One page without scripts or network, light or dark as the system is. */
export function htmlPage({ title, failed, unjudged, head, main }: Page): string {
  const [kind, verdict] = failed
    ? ['failed', '✕ failed']
    : unjudged === ''
      ? ['passed', '✓ passed']
      : ['unjudged', `– not judged: ${unjudged}`]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeMarkup(title)}</title>
<style>${reportStyle}</style>
</head>
<body>
<header><p class="maker">pet-mock</p><p class="verdict ${kind}">${verdict}</p></header>
<main>
${head === undefined ? '' : headList(head)}
${main}
</main>
</body>
</html>
`
}

function headList(head: ReportHead): string {
  const facts = headFacts(head).map(
    ({ name, value }) => `<div><dt>${escapeMarkup(name)}</dt><dd>${escapeMarkup(value)}</dd></div>`,
  )
  return `<dl class="head">${facts.join('')}</dl>`
}

/** Wide content scrolls by itself, and by keyboard. */
export function scrollable(label: string, content: string): string {
  return `<div class="scroll" role="region" tabindex="0" aria-label="${escapeMarkup(label)}">${content}</div>`
}
