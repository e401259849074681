"""Wrong versions of Adam, one fault each."""
import torch


class _Adam:
    """The right optimizer unless an argument says otherwise."""

    def __init__(
        self, params, lr, betas, eps, weight_decay, number=lambda t, k: t, correct=True, decoupled=False,
        eps_in_root=False, forgets=False, most_steps=None,
    ):
        self.params, self.lr, self.betas, self.eps, self.weight_decay = list(params), lr, betas, eps, weight_decay
        self.number, self.correct, self.decoupled, self.eps_in_root = number, correct, decoupled, eps_in_root
        self.forgets, self.most_steps, self.steps = forgets, most_steps, 0
        self.clear()

    def clear(self):
        self.state = [(torch.zeros_like(p), torch.zeros_like(p)) for p in self.params]

    def step(self):
        if self.forgets:
            self.steps = 0
            self.clear()
        self.steps += 1
        if self.most_steps is not None and self.steps > self.most_steps:
            return
        for k, (param, (exp_avg, exp_avg_sq)) in enumerate(zip(self.params, self.state)):
            self.update(param, param.grad, exp_avg, exp_avg_sq, self.number(self.steps, k))

    def update(self, param, grad, exp_avg, exp_avg_sq, t):
        betas = self.betas
        first, second = (1 - betas[0]**t, 1 - betas[1]**t) if self.correct else (1.0, 1.0)
        if self.decoupled:
            param.mul_(1 - self.lr * self.weight_decay)
        else:
            grad = grad + self.weight_decay * param
        exp_avg.mul_(betas[0]).add_(grad, alpha=1 - betas[0])
        exp_avg_sq.mul_(betas[1]).addcmul_(grad, grad, value=1 - betas[1])
        inside = exp_avg_sq / second
        root = (inside + self.eps).sqrt() if self.eps_in_root else inside.sqrt() + self.eps
        param.addcdiv_(exp_avg, root, value=-self.lr / first)


def nothing_moves(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    """step() does nothing."""
    return _Adam(params, lr, betas, eps, weight_decay, most_steps=0)


def first_step_only(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    """Only the first step() does anything."""
    return _Adam(params, lr, betas, eps, weight_decay, most_steps=1)


def first_parameter_only(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    """The other parameters stay as they are."""
    return _Adam(params[:1], lr, betas, eps, weight_decay)


def no_bias_correction(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    """Moments are used without dividing by 1 - beta^t."""
    return _Adam(params, lr, betas, eps, weight_decay, correct=False)


def counter_stays_at_one(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    """Every step is corrected as if it were the first."""
    return _Adam(params, lr, betas, eps, weight_decay, number=lambda t, k: 1)


def counter_counts_parameters(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    """One counter for all parameters, which goes up with each of them."""
    return _Adam(params, lr, betas, eps, weight_decay, number=lambda t, k: (t - 1) * len(params) + k + 1)


def state_forgotten(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    """Each step starts with moments of zero."""
    return _Adam(params, lr, betas, eps, weight_decay, forgets=True)


def decoupled_decay(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    """Weight decay as AdamW does it."""
    return _Adam(params, lr, betas, eps, weight_decay, decoupled=True)


def decay_ignored(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    """Drops the weight decay."""
    return _Adam(params, lr, betas, eps, 0)


def betas_swapped(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    """beta1 and beta2 change places."""
    return _Adam(params, lr, betas[::-1], eps, weight_decay)


def default_betas(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    """betas are (0.9, 0.999) whatever is asked for."""
    return _Adam(params, lr, (0.9, 0.999), eps, weight_decay)


def drops_eps(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    """eps is 1e-8 whatever is asked for."""
    return _Adam(params, lr, betas, 1e-8, weight_decay)


def eps_inside_root(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    """eps is added under the root."""
    return _Adam(params, lr, betas, eps, weight_decay, eps_in_root=True)


class _OnCopies(_Adam):
    def step(self):
        kept, self.params = self.params, [p.clone() for p in self.params]
        for copy, param in zip(self.params, kept):
            copy.grad = param.grad
        super().step()
        self.params = kept


def updates_copies(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    """The right numbers in tensors of its own; the parameters stay as they were."""
    return _OnCopies(params, lr, betas, eps, weight_decay)


class _OneBlock(_Adam):
    def step(self):
        old = [p.clone() for p in self.params]
        super().step()
        for param, before in zip(self.params, old):
            if param.is_contiguous():
                param.view(-1)[4096:] = before.view(-1)[4096:]


def one_block(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    """One program of 4096 elements and no grid."""
    return _OneBlock(params, lr, betas, eps, weight_decay)


class _OnNewMemory(_Adam):
    """Puts the new values into new memory and makes the parameter refer to that."""

    def update(self, param, grad, exp_avg, exp_avg_sq, t):
        value = param.detach().clone()
        super().update(value, grad, exp_avg, exp_avg_sq, t)
        param.data = value


def rebinds_data(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    """The parameters' own memory stays as it was: views of them see nothing."""
    return _OnNewMemory(params, lr, betas, eps, weight_decay)
