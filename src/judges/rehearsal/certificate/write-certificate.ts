import { escapeInJson } from '../../../base/text/invisible.ts'
import { writeAnnotations } from '../../report/annotations.ts'
import { type Finding, unjudgedId } from '../../report/finding.ts'
import type { ReportExtension } from '../../report/report-extensions.ts'
import type { ReportHead } from '../../report/report-head.ts'
import type { Certificate } from './certificate.ts'
import { writeCertificateHtml } from './certificate-html.ts'
import { writeCertificateJUnit } from './certificate-junit.ts'
import { writeCertificateMarkdown } from './certificate-markdown.ts'

export function writeCertificate(
  extension: ReportExtension,
  certificate: Certificate,
  head?: ReportHead,
): string {
  switch (extension) {
    case '.json':
      return `${escapeInJson(JSON.stringify({ ...certificate, ...(head && { head }) }, undefined, 2))}\n`
    case '.xml':
      return writeCertificateJUnit(certificate)
    case '.md':
      return writeCertificateMarkdown(certificate, head)
    case '.html':
      return writeCertificateHtml(certificate, head)
  }
}

/** What to fix, as workflow commands of GitHub Actions. */
export function certificateAnnotations({ remedies, situations }: Certificate): readonly string[] {
  const isNamed = remedies.some(({ id }) => id === unjudgedId)
  const unjudged = isNamed ? [] : situations.flatMap(one => one.unjudged)
  const fails = (finding: Finding) => isNew(finding) && (isNamed || finding.id !== unjudgedId)
  return writeAnnotations([{ judge: 'rehearse', findings: remedies, unjudged }], fails)
}

/** Whether a reason or remedy fails the command: the baseline does not have it. */
export function isNew({ expected }: Pick<Finding, 'expected'>): boolean {
  return expected !== true
}
