import type { PlaneExplainedRequest } from '../../../generated/plane-operations.ts'

/** Why the call got its answer, in sentences, and what would have worked. */
export function Why({ explanation }: { readonly explanation: PlaneExplainedRequest['explanation'] }) {
  const { sentences, mismatches } = explanation
  // The title says the first one.
  const [, ...reasons] = sentences
  return (
    <div class="why">
      <h2>Why</h2>
      {reasons.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
      {reasons.length === 0 && <p>Every gate let it pass.</p>}
      {mismatches.length > 0 && (
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Sent</th>
              <th scope="col">Expected</th>
            </tr>
          </thead>
          <tbody>
            {mismatches.map(({ what, asked, expected }) => (
              <tr key={what + asked}>
                <td>{what}</td>
                <td class="mono">{asked}</td>
                <td class="mono">{expected}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
