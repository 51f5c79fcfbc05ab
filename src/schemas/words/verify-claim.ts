/** What `verify` claims, in the words of the command line, of docs/command-line.md and of the console. */
export const verifyClaim =
  'It checks, without the solver, that the limits of the request are kept, the objective follows from the formula of the contract, and no bound is above its value. It does not prove again that the answer is the best. It names every field that it compared, and those that it did not.';
