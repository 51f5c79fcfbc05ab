/** The start page: open a log, look at the example, or choose a question. */
import type { Catalogue, Question } from '../contract/catalogue.ts';
import { OpenFile } from '../open/open-file.tsx';
import sketch from './sketch.svg';

interface StartPageProps {
  readonly catalogue: Catalogue;
  /** The operation that plans from a log. */
  readonly logQuestion: Question | undefined;
  /** A name in the address that is no operation; empty if the address has none. */
  readonly unknownName: string;
  readonly onText: (text: string, name: string) => void;
}

export function StartPage({ catalogue, logQuestion, unknownName, onText }: StartPageProps) {
  return (
    <main class="start-page" id="main" aria-label="Start">
      {unknownName === '' ? null : (
        <p class="notice" role="alert" data-unknown={unknownName}>
          <strong>There is no question “{unknownName}”.</strong> The address may be from another version; here is what
          there is.
        </p>
      )}
      <h1>What should your crawler fetch next?</h1>
      <p class="lead">
        Open the log of your crawler. You get how often each page changes, when to fetch it next, and how near that is
        to the best there can be.
      </p>
      <figure class="first-picture">
        <img
          src={sketch}
          width="640"
          height="178"
          alt="Five pages as lanes over a day: marks where each changes, dots where the plan fetches it, more of them where that helps more"
        />
        <figcaption>
          <span class="legend-change">a page changes</span>
          <span class="legend-fetch">the plan fetches it</span>
        </figcaption>
      </figure>
      <div class="begin">
        <OpenFile label="Open a log" primary onText={onText} />
        {logQuestion === undefined ? null : (
          <p>
            No log at hand? <a href={`#/${logQuestion.name}`}>Look at the example</a>: a small plan to change and to
            try.
          </p>
        )}
      </div>
      <h2>All questions</h2>
      {catalogue.groups.map(({ tag, title, description, questions: own }) => (
        <section key={tag} class="all-questions">
          <h3>
            {title}
            {description === '' ? null : <span>: {description}</span>}
          </h3>
          <dl>
            {own.map((question) => (
              <div key={question.name}>
                <dt>
                  <a href={`#/${question.name}`}>{question.title}</a>
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
