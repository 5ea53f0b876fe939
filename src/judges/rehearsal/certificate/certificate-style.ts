/** The style of a certificate, after that of every page. */
export const certificateStyle = `
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
.situation summary{cursor:pointer}.situation summary h3{display:inline;margin:0}
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
