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
<style>${pageStyle}</style>
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

/** The colours of a chart, for light and dark pages. Neighbours have a contrast of at least 3 to 1. */
const flightColors = `
:root{--flight-paper:#fff;--flight-ink:#1f2933;--flight-rule:#8a96a3;--flight-served:#2f7d5b;--flight-refused:#c2410c;--flight-invalid:#7c5cc4;--flight-failed:#b01e4f;--flight-wait:#fdf0c4;--flight-ban:#b01e1e}
@media (prefers-color-scheme:dark){:root{--flight-paper:#15191e;--flight-ink:#e6eaee;--flight-rule:#6b7785;--flight-served:#4fae84;--flight-refused:#fb923c;--flight-invalid:#a78bfa;--flight-failed:#f472a0;--flight-wait:#3d3512;--flight-ban:#f87171}}
.flight{display:block;width:100%;min-width:640px;height:auto;font:12px system-ui,sans-serif}
.flight text{fill:var(--flight-ink)}
.flight .flight-name{font-weight:600}
.flight .flight-span{paint-order:stroke;stroke:var(--flight-paper);stroke-width:3px;stroke-linejoin:round}`

const pageStyle = `${flightColors}
:root{--error:#a61b1b;--warning:#8a5a00;--info:#1f5f99;--passed:#1d6b45;--muted:#55606c;--line:#d5dbe1;--panel:#f6f8fa}
@media (prefers-color-scheme:dark){:root{--error:#ff8f8f;--warning:#f2c14e;--info:#7ab8f5;--passed:#6fd3a3;--muted:#a3adb8;--line:#343c45;--panel:#1d232a}}
*{box-sizing:border-box}
body{margin:0;background:var(--flight-paper);color:var(--flight-ink);font:16px/1.5 system-ui,sans-serif}
header,main{max-width:68rem;margin:0 auto;padding:1rem}
header{display:flex;justify-content:space-between;align-items:baseline;border-bottom:1px solid var(--line)}
header p{margin:0}
.maker{font-weight:600}
.verdict{font-weight:700}
.failed{color:var(--error)}
.passed{color:var(--passed)}
.verdict.unjudged{color:var(--warning)}
h1{font-size:1.6rem;line-height:1.2;margin:1.5rem 0 .25rem}
h2{font-size:1.1rem;margin:1.5rem 0 .5rem}
.count,.source,.further,figcaption{color:var(--muted)}
.count{margin-top:0}
.note{border-left:4px solid var(--warning);padding:.25rem .75rem;background:var(--panel)}
article{border:1px solid var(--line);border-left-width:6px;border-radius:4px;padding:0 1rem;margin:1rem 0;overflow-wrap:anywhere}
article h2{margin-top:.75rem}
.severity{text-transform:uppercase;font-size:.8rem;letter-spacing:.05em}
.error{border-left-color:var(--error)}.error .severity{color:var(--error)}
.warning{border-left-color:var(--warning)}.warning .severity{color:var(--warning)}
.expected{border-left-color:var(--passed)}.expected .severity{color:var(--passed)}
.info{border-left-color:var(--info)}.info .severity{color:var(--info)}
article.unjudged{border-left-color:var(--muted)}.unjudged .severity{color:var(--muted)}
.scroll{overflow-x:auto}
.scroll:focus-visible{outline:2px solid var(--info);outline-offset:2px}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);overflow-wrap:normal}
td{min-width:9rem}
thead th{color:var(--muted);font-weight:600}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0 0;font-size:.85em}
code,pre{font-family:ui-monospace,monospace}
code{font-size:.9em}
figure{margin:1.5rem 0}
figcaption{margin-bottom:.5rem}
dl.head{display:flex;flex-wrap:wrap;gap:.25rem 2rem;margin:0;color:var(--muted);font-size:.9rem}
.head div{display:flex;gap:.5rem;min-width:0}
.head dt{font-weight:600;white-space:nowrap}
.head dd{margin:0;min-width:0;overflow-wrap:anywhere}
.checks{columns:20rem;list-style:none;padding:0;color:var(--muted);font-size:.9rem}
.checks li{break-inside:avoid;padding:.1rem 0 .1rem 1.4rem;text-indent:-1.4rem}
.checks li::before{content:"✓";display:inline-block;width:1.4rem;text-indent:0;color:var(--passed)}
.checks.unjudged li::before{content:"–";color:var(--muted)}
.checks code{display:inline}
.calls td:nth-child(n+3){min-width:6rem}
@media (max-width:40rem){
.calls thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
.calls,.calls tbody,.calls tr,.calls td{display:block;min-width:0}
.calls tr{border-bottom:1px solid var(--line);padding:.5rem 0}
.calls td{border:0;padding:0;overflow-wrap:anywhere}
.calls td[data-name]::before{content:attr(data-name) ": ";color:var(--muted);font-weight:600}
.facts,.facts tbody,.facts tr,.facts th,.facts td{display:block;overflow-wrap:anywhere}
.facts th{border:0;padding-bottom:0}
}
main{overflow-wrap:anywhere}
h3{font-size:1.05rem;margin:0 0 .25rem}
h4{font-size:1rem;margin:.75rem 0 .5rem}
article h3,article h4{margin-top:.75rem}
a{color:var(--info)}
a:focus-visible{outline:2px solid var(--info);outline-offset:2px}
caption{text-align:left;color:var(--muted);padding:.25rem 0}
.matrix td{min-width:0}
.matrix th[scope=row]{font-weight:400;overflow-wrap:anywhere}
.mark{font-weight:700;white-space:nowrap}
.mark.passed{color:var(--passed)}.mark.failed{color:var(--error)}.mark.flaky,.mark.allowed,.mark.unjudged{color:var(--warning)}.mark.known,.mark.not-met{color:var(--muted)}
.wrong{color:var(--error);font-weight:600}
.situation{border-top:1px solid var(--line);padding:.5rem 0}
.situation[open]{padding-bottom:1.5rem}
.situation summary{cursor:pointer}.situation summary h2{font-size:1.05rem;display:inline;margin:0}
.situation figure{margin:1rem 0}
.situation .facts th{width:9rem;font-weight:600}
.output{max-height:24rem;overflow:auto;background:var(--panel);border:1px solid var(--line);border-radius:4px;padding:.5rem .75rem}
.output pre{margin:0}
.count+h2{margin-top:1rem}
@media (max-width:40rem){
.matrix thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
.matrix,.matrix tbody,.matrix caption,.facts caption{display:block}
.matrix tr{display:flex;flex-wrap:wrap;column-gap:1rem;border-bottom:1px solid var(--line);padding:.4rem 0}
.matrix th,.matrix td{border:0;padding:0}
.matrix th{flex-basis:100%}
.matrix .nothing{display:none}
.matrix td[data-name]::before{content:attr(data-name) ": ";color:var(--muted)}
.situation .facts th{width:auto}
}
@media print{
body{font-size:11pt}
main,header{max-width:none}
.scroll,.output{overflow:visible;max-height:none}
.flight{min-width:0}
a{color:inherit;text-decoration:none}
article,figure,.matrix tr{break-inside:avoid}
h2,h3,h4,caption{break-after:avoid}
}`
