/** Where a visitor begins: by what they have, and below every question there is. */
import type { Catalogue, Question } from '../api/openapi.ts';
import { titleOf } from '../api/openapi.ts';
import { OpenFile } from '../take/open-file.tsx';
import { intents } from './intents.ts';

interface StartProps {
  readonly catalogue: Catalogue;
  /** A name from the address that is no question; empty at the start. */
  readonly unknown: string;
  readonly onText: (text: string, name: string) => void;
}

export function Start({ catalogue, unknown, onText }: StartProps) {
  const questions = catalogue.groups.flatMap((group) => group.questions);
  const known = (names: readonly string[]): Question[] =>
    names.flatMap((name) => questions.filter((question) => question.name === name));
  return (
    <main class="start-page" id="main" aria-label="Start">
      {unknown === '' ? null : (
        <p class="notice" role="alert" data-unknown={unknown}>
          <strong>There is no question “{unknown}”.</strong> The address may be from another version; here is what there
          is.
        </p>
      )}
      <h1>What should your crawler do next?</h1>
      <p class="lead">Say what you have. Every answer comes with its proof, or with how far from the best it can be.</p>
      <ul class="intents">
        {intents.map(({ title, about, operations, action, takesLog }) => (
          <li key={title}>
            <h2>
              <a href={`#/${operations[0]}`}>{title}</a>
            </h2>
            <p>{about}</p>
            {takesLog ? <OpenFile label="Open a log…" onText={onText} /> : null}
            <p class="ways">
              {known(operations).map((question, i) => (
                <a key={question.name} href={`#/${question.name}`} title={question.summary}>
                  {i === 0 && action ? action : titleOf(question)}
                </a>
              ))}
            </p>
          </li>
        ))}
      </ul>
      <h2>All questions</h2>
      {catalogue.groups.map(({ tag, title, questions: own }) => (
        <section key={tag} class="all-questions">
          <h3>{title}</h3>
          <dl>
            {own.map((question) => (
              <div key={question.name}>
                <dt>
                  <a href={`#/${question.name}`}>{titleOf(question)}</a>
                </dt>
                <dd>{question.summary}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </main>
  );
}
