import { Component, type ReactNode } from 'react';
import { Failure } from './answer';

interface BoundaryProps {
  /** Another place is tried anew. */
  readonly place: string;
  readonly children: ReactNode;
}

/** Where a page breaks, or cannot be loaded, the menu around it stays, and it says what is wrong. */
export class Boundary extends Component<BoundaryProps, { readonly error: unknown }> {
  override readonly state = { error: undefined };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override componentDidUpdate(before: BoundaryProps): void {
    if (before.place !== this.props.place && this.state.error !== undefined) this.setState({ error: undefined });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failure error={error} onRetry={() => location.reload()} />;
  }
}
