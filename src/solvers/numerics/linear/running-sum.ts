/** Sum with compensation, so that ten million terms cost no digits. Source: Neumaier (1974). */
export class RunningSum {
  private sum = 0;
  private compensation = 0;

  add(x: number): void {
    const next = this.sum + x;
    this.compensation += Math.abs(this.sum) >= Math.abs(x) ? this.sum - next + x : x - next + this.sum;
    this.sum = next;
  }

  total(): number {
    return Number.isFinite(this.sum) ? this.sum + this.compensation : this.sum;
  }
}
